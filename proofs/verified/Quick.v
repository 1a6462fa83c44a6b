(* Plays by maps: the moves of a play are judged in logarithmic time, as the definition judges them. *)
Require Import List NArith ZArith Bool Lia FMapPositive.
From RedBlue Require Import Game Plays Maps.
Import ListNotations.
Open Scope Z_scope.

Definition remove (m : map unit) (v : N) : map unit := PositiveMap.remove (N.succ_pos v) m.
Lemma has_remove : forall m u v, has (remove m u) v = has m v && negb (v =? u)%N.
Proof.
  intros m u v. unfold has, find, remove. destruct (N.eqb_spec v u) as [-> | E].
  - rewrite PositiveMap.grs, andb_false_r. reflexivity.
  - rewrite PositiveMap.gro; [rewrite andb_true_r; reflexivity|]. intros H. apply E, succ_pos_inj, H.
Qed.

Record board := { on_red : map unit; on_blue : map unit; made : map unit; filled : Z }.
Section Quick.
Variables (r : rules) (g : dag) (M : Z).
Definition quick_slid (b : board) (v : N) (next : option move) : Z :=
  if sliding r && negb (filled b + words g v <=? M)
  then match next with
       | Some (Delete u) => if mem u (operands g v) then words g u else 0
       | _ => 0
       end
  else 0.
Definition quick_step (m : move) (next : option move) (b : board) : option board :=
  match m with
  | Load v =>
      if (v <? size g)%N && has (on_blue b) v && negb (has (on_red b) v) && (filled b + words g v <=? M)
      then Some {| on_red := insert (on_red b) v; on_blue := on_blue b; made := made b; filled := words g v + filled b |} else None
  | Store v =>
      if (v <? size g)%N && has (on_red b) v && negb (has (on_blue b) v)
      then Some {| on_red := on_red b; on_blue := insert (on_blue b) v; made := made b; filled := filled b |} else None
  | Compute v =>
      if (v <? size g)%N && negb (is_input g v) && negb (has (on_red b) v)
         && (recompute r || negb (has (made b) v)) && forallb (has (on_red b)) (operands g v)
         && (filled b + words g v - quick_slid b v next <=? M)
      then Some {| on_red := insert (on_red b) v; on_blue := on_blue b; made := insert (made b) v; filled := words g v + filled b |}
      else None
  | Delete v =>
      if (v <? size g)%N && has (on_red b) v
      then Some {| on_red := remove (on_red b) v; on_blue := on_blue b; made := made b; filled := filled b - words g v |}
      else None
  end.
Fixpoint quick_run (moves : list move) (b : board) : option board :=
  match moves with
  | [] => Some b
  | m :: rest => match quick_step m (hd_error rest) b with Some c => quick_run rest c | None => None end
  end.
Definition quick_start : board :=
  {| on_red := empty unit; on_blue := insert_all (filter (is_input g) (below (size g))) (empty unit); made := empty unit; filled := 0 |}.
Definition quick_finished (b : board) : bool := forallb (fun v => negb (output g v) || has (on_blue b) v) (below (size g)).

Record same (s : state) (b : board) : Prop := {
  same_red : forall v, has (on_red b) v = mem v (red s);
  same_blue : forall v, has (on_blue b) v = mem v (blue s);
  same_done : forall v, has (made b) v = mem v (done s);
  same_words : filled b = used g s;
  distinct_red : NoDup (red s)
}.
Lemma mem_first : forall u v l, mem u (v :: l) = (v =? u)%N || mem u l.
Proof. intros. unfold mem. simpl. rewrite N.eqb_sym. reflexivity. Qed.
Lemma quick_step_same : forall m next s b c, same s b -> quick_step m next b = Some c ->
  exists t, step r g M m next s = Some t /\ same t c.
Proof.
  intros m next s b c [R B D W N] H. destruct m; simpl in *;
    match type of H with (if ?q then _ else _) = _ => destruct q eqn:Q; [|discriminate] end; injection H as <-.
  - rewrite R, B, W in Q. rewrite Q. eexists. split; [reflexivity|].
    apply andb_prop in Q. destruct Q as (Q & _). apply andb_prop in Q. destruct Q as (_ & Q). apply negb_true_iff, mem_not_In in Q.
    constructor; cbn [red blue done on_red on_blue made filled]; auto; [intros u; rewrite has_insert, mem_first, R; reflexivity | unfold used in *; cbn [red sum]; lia | constructor; auto].
  - rewrite R, B in Q. rewrite Q. eexists. split; [reflexivity|].
    constructor; cbn [red blue done on_red on_blue made filled]; auto. intros u. rewrite has_insert, mem_first, B. reflexivity.
  - assert (Sl : quick_slid b v next = slid r g M s v next) by (unfold quick_slid, slid; rewrite W; reflexivity).
    assert (Fo : forallb (has (on_red b)) (operands g v) = forallb (fun u => mem u (red s)) (operands g v)).
    { clear -R. induction (operands g v) as [|u l IH]; simpl; [reflexivity|]. rewrite R, IH. reflexivity. }
    rewrite R, D, W, Sl, Fo in Q. rewrite Q. eexists. split; [reflexivity|].
    apply andb_prop in Q. destruct Q as (Q & _). apply andb_prop in Q. destruct Q as (Q & _). apply andb_prop in Q.
    destruct Q as (Q & _). apply andb_prop in Q. destruct Q as (_ & Q). apply negb_true_iff, mem_not_In in Q.
    constructor; cbn [red blue done on_red on_blue made filled]; auto; [intros u; rewrite has_insert, mem_first, R; reflexivity
      | intros u; rewrite has_insert, mem_first, D; reflexivity | unfold used in *; cbn [red sum]; lia | constructor; auto].
  - rewrite R in Q. rewrite Q. eexists. split; [reflexivity|]. apply andb_prop in Q. destruct Q as (_ & Q). apply mem_In in Q.
    constructor; cbn [red blue done on_red on_blue made filled]; auto.
    + intros u. rewrite has_remove, R. apply eq_true_iff_eq. rewrite andb_true_iff, negb_true_iff, N.eqb_neq, !mem_In, in_without. tauto.
    + unfold used in *. cbn [red]. rewrite sum_without by assumption. lia.
    + apply NoDup_filter, N.
Qed.
Lemma quick_run_same : forall p s b c, same s b -> quick_run p b = Some c -> exists t, run r g M p s = Some t /\ same t c.
Proof.
  induction p as [|m p IH]; simpl; intros s b c S H.
  - injection H as <-. eauto.
  - destruct (quick_step m (hd_error p) b) as [d |] eqn:E; [|discriminate].
    destruct (quick_step_same _ _ _ _ _ S E) as (t & K & S'). rewrite K. eauto.
Qed.
Lemma start_same : same (start g) quick_start.
Proof.
  constructor; simpl; try (intros; apply has_empty); [|reflexivity | constructor].
  intros v. apply eq_true_iff_eq. rewrite has_insert_all, has_empty, mem_In, !filter_In, vertices_In.
  destruct (below_spec (size g)) as (_ & B). rewrite B. intuition discriminate.
Qed.
(* THEOREM: a play that is judged by maps wins. *)
Theorem quick_wins : forall p b, quick_run p quick_start = Some b -> quick_finished b = true -> wins r g M p.
Proof.
  intros p b H F. destruct (quick_run_same p _ _ _ start_same H) as (t & R & S). exists t. split; [exact R|].
  unfold finished. apply forallb_forall. intros v I. unfold quick_finished in F. rewrite forallb_forall in F.
  rewrite <- (same_blue _ _ S). apply F, below_spec, vertices_In, I.
Qed.
End Quick.
