(* The DAG of a file, line by line, and checks that it is one. *)
Require Import List NArith ZArith Bool Lia.
From RedBlue Require Import Game Plays Compulsory Maps.
Import ListNotations.
Open Scope Z_scope.

(* A line for each vertex, in their order. *)
Record line := { line_words : Z; line_output : bool; line_operands : list N }.
Definition table (lines : list line) : N * map line :=
  fold_left (fun nm l => (N.succ (fst nm), put (snd nm) (fst nm) l)) lines (0%N, empty line).
Definition dag_of (lines : list line) : dag :=
  let (n, m) := table lines in {|
    size := n;
    operands := fun v => match find m v with Some l => line_operands l | None => [] end;
    words := fun v => match find m v with Some l => line_words l | None => 1 end;
    output := fun v => match find m v with Some l => line_output l | None => false end
  |}.

(* Numbers that rise, from some number on and below another one. *)
Fixpoint rising (least most : N) (l : list N) : bool :=
  match l with [] => true | u :: rest => (least <=? u)%N && (u <? most)%N && rising (N.succ u) most rest end.
Lemma rising_bounds : forall l least most, rising least most l = true -> forall u, In u l -> (least <= u < most)%N.
Proof.
  induction l as [|x l IH]; simpl; intros least most R u I; [destruct I|].
  apply andb_prop in R. destruct R as (R & Q). apply andb_prop in R. destruct R as (A & B).
  apply N.leb_le in A. apply N.ltb_lt in B. destruct I as [<- | I]; [lia|].
  specialize (IH _ _ Q u I). lia.
Qed.
Lemma rising_NoDup : forall l least most, rising least most l = true -> NoDup l.
Proof.
  induction l as [|x l IH]; simpl; intros least most R; [constructor|].
  apply andb_prop in R. destruct R as (_ & Q). constructor; [|eauto].
  intros I. pose proof (rising_bounds _ _ _ Q x I). lia.
Qed.

Section Checks.
Variable g : dag.
Definition readers_table : map unit :=
  fold_left (fun s v => insert_all (operands g v) s) (below (size g)) (empty unit).
Lemma in_readers_table : forall u, has readers_table u = true <-> exists v, (v < size g)%N /\ In u (operands g v).
Proof.
  intros u. unfold readers_table.
  assert (G : forall l s, has (fold_left (fun s v => insert_all (operands g v) s) l s) u = true
      <-> has s u = true \/ exists v, In v l /\ In u (operands g v)).
  { induction l as [|x l IH]; simpl; intros s.
    - split; [auto | intros [H | (v & [] & _)]; exact H].
    - rewrite IH, has_insert_all. split.
      + intros [[H | H] | (v & I & J)]; [right; eauto | tauto | right; eauto].
      + intros [H | (v & [-> | I] & J)]; [tauto | tauto | right; eauto]. }
  rewrite G, has_empty. destruct (below_spec (size g)) as (_ & B). split.
  - intros [H | (v & I & J)]; [discriminate|]. exists v. split; [apply B; exact I | exact J].
  - intros (v & L & J). right. exists v. split; [apply B; exact L | exact J].
Qed.
Definition well_formed (reads : map unit) : bool :=
  forallb (fun v => rising 0 v (operands g v) && (1 <=? words g v)
    && (if output g v then negb (is_input g v) else is_input g v || has reads v)) (below (size g)).
Lemma well_formed_sound : well_formed readers_table = true -> sound g.
Proof.
  intros W. unfold well_formed in W. rewrite forallb_forall in W. destruct (below_spec (size g)) as (_ & B).
  assert (H : forall v, (v < size g)%N -> rising 0 v (operands g v) = true /\ 1 <= words g v
      /\ (if output g v then negb (is_input g v) else is_input g v || has readers_table v) = true).
  { intros v L. apply B in L. specialize (W v L). apply andb_prop in W. destruct W as (W & P).
    apply andb_prop in W. destruct W as (R & Q). apply Z.leb_le in Q. auto. }
  constructor.
  - intros v u L I. destruct (H v L) as (R & _). apply (rising_bounds _ _ _ R u I).
  - intros v L. destruct (H v L) as (R & _). eapply rising_NoDup; eauto.
  - intros v L. apply H, L.
  - intros v L O. destruct (H v L) as (_ & _ & P). rewrite O in P. apply negb_true_iff, P.
  - intros v L I O. destruct (H v L) as (_ & _ & P). rewrite O, I in P. simpl in P.
    apply read_by, in_readers_table, P.
Qed.

Definition compulsory_sum (reads : map unit) : Z :=
  total (fun v => if output g v || (is_input g v && has reads v) then words g v else 0) (below (size g)).
Lemma compulsory_sum_most : sound g -> compulsory_sum readers_table <= compulsory g.
Proof.
  intros S. unfold compulsory_sum. rewrite total_sum. destruct (below_spec (size g)) as (D & B).
  rewrite <- (sum_filter _ (fun v => output g v || (is_input g v && has readers_table v))).
  unfold compulsory. rewrite <- sum_app. apply sum_incl.
  - intros v I. assert (L : (v < size g)%N).
    { apply in_app_or in I. destruct I as [I | I]; apply filter_In in I; apply vertices_In; tauto. }
    pose proof (positive g S v L). lia.
  - apply NoDup_filter, D.
  - intros v I. apply filter_In in I. destruct I as (I & P). apply B in I. apply in_or_app.
    apply orb_prop in P. destruct P as [P | P]; [right | left]; apply filter_In.
    + split; [apply vertices_In; exact I | exact P].
    + split; [apply vertices_In; exact I|]. apply andb_prop in P. destruct P as (P & Q). rewrite P.
      apply read_by, in_readers_table, Q.
Qed.

(* No play has more in fast memory than all values. *)
Definition all_words : Z := total (words g) (below (size g)).
Lemma fits : forall s v, sound g -> tidy g s -> (v < size g)%N -> ~ In v (red s) -> used g s + words g v <= all_words.
Proof.
  intros s v S (D & B) L N. unfold all_words. rewrite total_sum. destruct (below_spec (size g)) as (_ & C).
  replace (used g s + words g v) with (sum (words g) (v :: red s)) by (simpl; unfold used; lia).
  apply sum_incl.
  - intros u I. apply C in I. pose proof (positive g S u I). lia.
  - constructor; auto.
  - intros u [<- | I]; apply C; auto.
Qed.
Lemma capped : forall r M p s t, sound g -> tidy g s -> run r g M p s = Some t -> run r g (Z.min M all_words) p s = Some t.
Proof.
  intros r M p s t S. revert s t. induction p as [|m p IH]; simpl; intros s t T H; [exact H|].
  destruct (step r g M m (hd_error p) s) as [y |] eqn:E; [|discriminate].
  assert (E' : step r g (Z.min M all_words) m (hd_error p) s = Some y).
  { destruct (Z.le_gt_cases M all_words) as [C | C]; [rewrite Z.min_l by exact C; exact E|].
    rewrite Z.min_r by lia. pose proof E as K. apply step_cases in K. destruct m; simpl in *; auto.
    - destruct K as (L & _ & N & _). pose proof (fits s v S T L N) as F.
      assert (A' : (used g s + words g v <=? M) = true) by (apply Z.leb_le; lia).
      apply Z.leb_le in F. rewrite F. rewrite A' in E. exact E.
    - destruct K as (L & _ & N & _). pose proof (fits s v S T L N) as F. unfold slid in *.
      assert (A : (used g s + words g v <=? all_words) = true) by (apply Z.leb_le; exact F).
      assert (A' : (used g s + words g v <=? M) = true) by (apply Z.leb_le; lia).
      rewrite A in *. rewrite A' in E. simpl in *. rewrite andb_false_r in *.
      replace (used g s + words g v - 0) with (used g s + words g v) in * by lia.
      rewrite A. rewrite A' in E. exact E. }
  rewrite E'. apply IH; [eapply step_tidy; eauto | exact H].
Qed.
Lemma wins_capped : forall r M p, sound g -> wins r g M p -> wins r g (Z.min M all_words) p.
Proof.
  intros r M p S (t & H & F). exists t. split; [|exact F]. apply capped; auto. apply start_tidy.
Qed.
(* A play with little memory is one with more. *)
Lemma more_memory : forall r M M' p, M <= M' -> wins r g M p -> wins r g M' p.
Proof.
  intros r M M' p L (t & H & F). exists t. split; [|exact F]. revert H. generalize (start g). clear F.
  induction p as [|m p IH]; simpl; intros s H; [exact H|].
  destruct (step r g M m (hd_error p) s) as [y |] eqn:E; [|discriminate].
  assert (E' : step r g M' m (hd_error p) s = Some y).
  { destruct m; simpl in *; auto.
    - destruct (Z.leb_spec (used g s + words g v) M) as [C | C]; [|rewrite andb_false_r in E; discriminate].
      assert (C' : (used g s + words g v <=? M') = true) by (apply Z.leb_le; lia). rewrite C'. exact E.
    - unfold slid in *. destruct (Z.leb_spec (used g s + words g v) M') as [C' | C'].
      + simpl. rewrite andb_false_r, Z.sub_0_r. assert (Q : (used g s + words g v <=? M') = true) by (apply Z.leb_le; exact C').
        rewrite Q. match type of E with (if _ && ?c then _ else _) = _ => destruct c; [exact E | rewrite andb_false_r in E; discriminate] end.
      + assert (C : (used g s + words g v <=? M) = false) by (apply Z.leb_gt; lia). rewrite C in E. simpl in E |- *.
        match goal with |- (if _ && (?a <=? _) then _ else _) = _ => destruct (Z.leb_spec a M) as [Q | Q];
          [|rewrite andb_false_r in E; discriminate];
          assert (Q' : (a <=? M') = true) by (apply Z.leb_le; lia); rewrite Q' end.
        exact E. }
  rewrite E'. apply IH, H.
Qed.
End Checks.
