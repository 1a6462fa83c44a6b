(* The red-blue pebble game: the definition that all theorems speak of. To be read beside
   pebble/referee.py, which has the same rules in Python; a test plays drawn schedules through both.

   A value is red where fast memory holds it, blue where slow memory does. Vertices are the numbers
   0 ... size - 1. Sizes of values, memory and costs are in words. *)
Require Import List NArith ZArith Bool.
Import ListNotations.
Open Scope Z_scope.

Record dag := {
  size : N;                     (* how many vertices *)
  operands : N -> list N;       (* of a value; an input has none *)
  words : N -> Z;               (* of a value *)
  output : N -> bool            (* whether it must end in slow memory *)
}.

Inductive move := Load (v : N) | Store (v : N) | Compute (v : N) | Delete (v : N).

Record rules := {
  recompute : bool;             (* whether a value may be computed more than once *)
  sliding : bool                (* whether a result may take the place of an operand *)
}.

Record state := {
  red : list N;                 (* in fast memory *)
  blue : list N;                (* in slow memory *)
  done : list N                 (* computed so far *)
}.

Definition mem (v : N) (l : list N) : bool := existsb (N.eqb v) l.
Definition is_input (g : dag) (v : N) : bool := match operands g v with [] => true | _ => false end.
Definition vertices (g : dag) : list N := map N.of_nat (seq 0 (N.to_nat (size g))).

Fixpoint sum {A : Type} (f : A -> Z) (l : list A) : Z :=
  match l with [] => 0 | x :: rest => f x + sum f rest end.

(* Words in fast memory. *)
Definition used (g : dag) (s : state) : Z := sum (words g) (red s).

(* The words of the operand whose place a result takes: of the one that is deleted in the next
   move, if the rules let results slide, and if there is no room beside the operands. *)
Definition slid (r : rules) (g : dag) (M : Z) (s : state) (v : N) (next : option move) : Z :=
  if sliding r && negb (used g s + words g v <=? M)
  then match next with
       | Some (Delete u) => if mem u (operands g v) then words g u else 0
       | _ => 0
       end
  else 0.

(* The state after a move, with M words of fast memory; None if the move is illegal. The next move
   matters where a result slides. *)
Definition step (r : rules) (g : dag) (M : Z) (m : move) (next : option move) (s : state)
  : option state :=
  match m with
  | Load v =>
      if (v <? size g)%N && mem v (blue s) && negb (mem v (red s)) && (used g s + words g v <=? M)
      then Some {| red := v :: red s; blue := blue s; done := done s |} else None
  | Store v =>
      if (v <? size g)%N && mem v (red s) && negb (mem v (blue s))
      then Some {| red := red s; blue := v :: blue s; done := done s |} else None
  | Compute v =>
      if (v <? size g)%N && negb (is_input g v) && negb (mem v (red s))
         && (recompute r || negb (mem v (done s))) && forallb (fun u => mem u (red s)) (operands g v)
         && (used g s + words g v - slid r g M s v next <=? M)
      then Some {| red := v :: red s; blue := blue s; done := v :: done s |} else None
  | Delete v =>
      if (v <? size g)%N && mem v (red s)
      then Some {| red := filter (fun u => negb (u =? v)%N) (red s); blue := blue s; done := done s |}
      else None
  end.

Fixpoint run (r : rules) (g : dag) (M : Z) (moves : list move) (s : state) : option state :=
  match moves with
  | [] => Some s
  | m :: rest => match step r g M m (hd_error rest) s with
                 | Some t => run r g M rest t
                 | None => None
                 end
  end.

(* Inputs begin in slow memory; outputs must end there. *)
Definition start (g : dag) : state :=
  {| red := []; blue := filter (is_input g) (vertices g); done := [] |}.
Definition finished (g : dag) (s : state) : bool :=
  forallb (fun v => negb (output g v) || mem v (blue s)) (vertices g).
Definition wins (r : rules) (g : dag) (M : Z) (moves : list move) : Prop :=
  exists t, run r g M moves (start g) = Some t /\ finished g t = true.

(* Words that are loaded and stored. *)
Definition price (g : dag) (m : move) : Z :=
  match m with Load v | Store v => words g v | Compute _ | Delete _ => 0 end.
Definition cost (g : dag) (moves : list move) : Z := sum (price g) moves.

(* What is a computation: operands come before results and are named once, sizes are positive, and
   a computed value is read or an output. *)
Definition is_read (g : dag) (v : N) : bool := existsb (fun w => mem v (operands g w)) (vertices g).
Record sound (g : dag) : Prop := {
  ordered : forall v u, (v < size g)%N -> In u (operands g v) -> (u < v)%N;
  distinct : forall v, (v < size g)%N -> NoDup (operands g v);
  positive : forall v, (v < size g)%N -> 1 <= words g v;
  computed_output : forall v, (v < size g)%N -> output g v = true -> is_input g v = false;
  purpose : forall v, (v < size g)%N -> is_input g v = false -> output g v = false ->
    is_read g v = true
}.
