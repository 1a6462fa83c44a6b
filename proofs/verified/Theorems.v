(* The theorems, and what each rests on: nothing but Coq itself. *)
From RedBlue Require Import Game Compulsory Moments Fronts Ledger Orders Renumber Windows Reloads Chains Searches Repeats Quick Products OpenSums Verdict.

Print Assumptions compulsory_words.
Print Assumptions ledger.
Print Assumptions moment_away.
Print Assumptions moment_charges.
Print Assumptions front_charges.
Print Assumptions enter_sound.
Print Assumptions parts_sound.
Print Assumptions moment_due.
Print Assumptions order_sound.
Print Assumptions all_parts_sound.
Print Assumptions renumbered_play.
Print Assumptions renumbered_bound.
Print Assumptions window_shows.
Print Assumptions windows_sound.
Print Assumptions enter_reloads_sound.
Print Assumptions chain_window_shows.
Print Assumptions enter_chain_sound.
Print Assumptions chains_sound.
Print Assumptions search_sound.
Print Assumptions repeats_sound.
Print Assumptions all_entries_sound.
Print Assumptions quick_wins.
Print Assumptions verdict_sound.
Print Assumptions window_dominated.
Print Assumptions window_passes_on.
Print Assumptions windows_from.
Print Assumptions windows_exchange.
Print Assumptions hong_kung.
Print Assumptions loomis_whitney.
Print Assumptions product_windows.
Print Assumptions products_sound.
Print Assumptions mean_chord.
Print Assumptions open_chains.
Print Assumptions open_chains_sound.
