(* The checker and the game as OCaml, with numbers as Coq has them, which do not overflow. *)
From RedBlue Require Import Game Dags Verdict.
Require Extraction.
Require Import ExtrOcamlBasic ExtrOcamlNativeString.
Extraction "checker.ml" verdict dag_of start step finished cost.
