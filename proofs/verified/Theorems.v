(* The theorems, and what each rests on: nothing but Coq itself. *)
From RedBlue Require Import Game Compulsory Moments Fronts Ledger Verdict.

Print Assumptions compulsory_words.
Print Assumptions ledger.
Print Assumptions moment_charges.
Print Assumptions front_charges.
Print Assumptions enter_sound.
Print Assumptions parts_sound.
Print Assumptions verdict_sound.
