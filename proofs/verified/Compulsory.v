(* Words that every play moves, and the moves beyond them: excess, row by row of an account.

   Of an input that is read one load is compulsory, of an output one store. Every other word moved is
   excess. A row of the account is a value with a stage: (v, 0) are stores of v, (v, i + 1) are loads
   of v in its stage i, while i of its chosen readers have been computed (P2). *)
Require Import List NArith ZArith Bool Lia.
From RedBlue Require Import Game Plays.
Import ListNotations.
Open Scope Z_scope.

Definition used_inputs (g : dag) : list N := filter (fun v => is_input g v && is_read g v) (vertices g).
Definition outputs (g : dag) : list N := filter (output g) (vertices g).
Definition compulsory (g : dag) : Z := sum (words g) (used_inputs g) + sum (words g) (outputs g).

Notation row := (N * N)%type.
Section Compulsory.
Variables (r : rules) (g : dag) (M : Z).
Hypothesis S : sound g.

Lemma all_computed : forall p t, walks r g M (start g) p t -> finished g t = true ->
  forall v, (v < size g)%N -> is_input g v = false -> In (Compute v) p.
Proof.
  intros p t W F. rewrite <- (N2Nat.id (size g)). intros v L.
  remember (N.to_nat (size g) - N.to_nat v)%nat as k. revert v L Heqk.
  induction k as [k IH] using lt_wf_ind; intros v L E I.
  destruct (output g v) eqn:O.
  - apply (origin r g M p t v W I). right; left.
    unfold finished in F. rewrite forallb_forall in F. assert (V : In v (vertices g)) by (apply vertices_In; lia).
    specialize (F v V). rewrite O in F. apply mem_In. exact F.
  - assert (B : is_read g v = true) by (apply (purpose g S); auto; lia).
    apply read_by in B. destruct B as (w & Lw & J). pose proof (ordered g S w v Lw J).
    assert (C : In (Compute w) p).
    { apply (IH (N.to_nat (size g) - N.to_nat w)%nat); auto; try lia. eapply operand_not_input; eauto. }
    destruct (computed_at _ _ _ _ _ _ _ W C) as (a & b & x & -> & A & _ & Op).
    apply in_or_app; left. apply (origin r g M a x v A I). left. apply Op, J.
Qed.
Lemma inputs_loaded : forall p t, walks r g M (start g) p t -> finished g t = true ->
  forall v, In v (used_inputs g) -> In (Load v) p.
Proof.
  intros p t W F v I. apply filter_In in I. destruct I as (_ & I). apply andb_prop in I.
  destruct I as (I & B). apply read_by in B. destruct B as (w & L & J).
  pose proof (all_computed _ _ W F w L (operand_not_input _ _ _ J)) as C.
  destruct (computed_at _ _ _ _ _ _ _ W C) as (a & b & x & -> & A & _ & Op).
  apply in_or_app; left. apply (input_loaded r g M a x v A I), Op, J.
Qed.
Lemma outputs_stored : forall p t, walks r g M (start g) p t -> finished g t = true ->
  forall v, In v (outputs g) -> In (Store v) p.
Proof.
  intros p t W F v I. apply filter_In in I. destruct I as (V & O).
  unfold finished in F. rewrite forallb_forall in F. specialize (F v V). rewrite O in F. apply mem_In in F.
  destruct (blue_came _ _ _ _ _ _ W v F) as [B | B]; [|exact B].
  apply start_blue in B. apply vertices_In in V. pose proof (computed_output g S v V O). destruct B. congruence.
Qed.

(* Something of each move, by the moves before it. *)
Fixpoint picks {A : Type} (f : list move -> move -> list A) (before p : list move) : list A :=
  match p with [] => [] | m :: q => f before m ++ picks f (before ++ [m]) q end.
Lemma picks_In : forall A (f : list move -> move -> list A) a before m b x, In x (f (before ++ a) m) ->
  In x (picks f before (a ++ m :: b)).
Proof.
  intros A f. induction a as [|c a IH]; simpl; intros before m b x I; apply in_or_app.
  - left. rewrite app_nil_r in I. exact I.
  - right. apply IH. rewrite <- app_assoc. exact I.
Qed.
Lemma picks_of : forall A (f : list move -> move -> list A) p before x, In x (picks f before p) ->
  exists a m b, p = a ++ m :: b /\ In x (f (before ++ a) m).
Proof.
  intros A f. induction p as [|c p IH]; simpl; intros before x I; [destruct I|].
  apply in_app_or in I. destruct I as [I | I].
  - exists [], c, p. rewrite app_nil_r. auto.
  - destruct (IH _ _ I) as (a & m & b & -> & J). exists (c :: a), m, b. rewrite <- app_assoc in J. auto.
Qed.

Definition computes (v : N) (p : list move) : bool :=
  existsb (fun m => match m with Compute u => (u =? v)%N | _ => false end) p.
Definition loads (v : N) (p : list move) : bool :=
  existsb (fun m => match m with Load u => (u =? v)%N | _ => false end) p.
Lemma computes_In : forall v p, computes v p = true <-> In (Compute v) p.
Proof.
  intros v p. unfold computes. rewrite existsb_exists. split.
  - intros ([] & I & E); try discriminate. apply N.eqb_eq in E. subst. exact I.
  - intros I. exists (Compute v). split; [exact I | apply N.eqb_refl].
Qed.
Lemma loads_In : forall v p, loads v p = true <-> In (Load v) p.
Proof.
  intros v p. unfold loads. rewrite existsb_exists. split.
  - intros ([] & I & E); try discriminate. apply N.eqb_eq in E. subst. exact I.
  - intros I. exists (Load v). split; [exact I | apply N.eqb_refl].
Qed.

Variable chosen : N -> list N.  (* some readers of a value *)
Definition stage (v : N) (before : list move) : N :=
  N.of_nat (length (filter (fun w => computes w before) (chosen v))).
Definition extra (before : list move) (m : move) : list row :=
  match m with
  | Load v => if is_input g v && negb (loads v before) then [] else [(v, stage v before + 1)%N]
  | Store v => if output g v then [] else [(v, 0%N)]
  | _ => []
  end.
Definition first_loads (before : list move) (m : move) : list N :=
  match m with Load v => if is_input g v && negb (loads v before) then [v] else [] | _ => [] end.
Definition last_stores (before : list move) (m : move) : list N :=
  match m with Store v => if output g v then [v] else [] | _ => [] end.
Definition events (p : list move) : list row := picks extra [] p.

Lemma cost_is : forall p before, cost g p = sum (words g) (picks first_loads before p)
  + sum (words g) (picks last_stores before p) + sum (fun e => words g (fst e)) (picks extra before p).
Proof.
  unfold cost. induction p as [|m p IH]; intros before; simpl; [reflexivity|].
  rewrite !sum_app, (IH (before ++ [m])). destruct m; simpl; try lia.
  - destruct (is_input g v && negb (loads v before)); simpl; lia.
  - destruct (output g v); simpl; lia.
Qed.
Lemma first_load : forall p before v, In (Load v) p -> is_input g v = true -> ~ In (Load v) before ->
  In v (picks first_loads before p).
Proof.
  induction p as [|m p IH]; intros before v I Z N; [destruct I|]. simpl. apply in_or_app.
  assert (D : m = Load v \/ m <> Load v).
  { destruct m; try (right; discriminate). destruct (N.eq_dec v0 v) as [-> | E]; [left; auto | right; congruence]. }
  destruct D as [-> | D].
  - left. simpl. rewrite Z. destruct (loads v before) eqn:E; [apply loads_In in E; tauto | left; auto].
  - right. apply IH; auto.
    + destruct I as [I | I]; [congruence | exact I].
    + intros J. apply in_app_or in J. destruct J as [J | [J | []]]; [tauto | congruence].
Qed.

(* The cost of a play is at least the compulsory words, and those of all moves beyond. *)
Lemma cost_least : forall p t, walks r g M (start g) p t -> finished g t = true ->
  compulsory g + sum (fun e => words g (fst e)) (events p) <= cost g p.
Proof.
  intros p t W F. rewrite (cost_is p []). unfold compulsory, events.
  assert (Moved : forall m, In m p ->
      match m with Load v | Store v | Compute v | Delete v => 0 <= words g v end).
  { intros m I. pose proof (moved_below _ _ _ _ _ _ W m I). destruct m;
      match goal with L : (_ < size g)%N |- _ => pose proof (positive g S _ L); lia end. }
  assert (A : sum (words g) (used_inputs g) <= sum (words g) (picks first_loads [] p)).
  { apply sum_incl.
    - intros v I. apply picks_of in I. destruct I as (a & m & b & -> & J).
      destruct m; simpl in J; try destruct J.
      destruct (is_input g v0 && negb (loads v0 a)); [|destruct J]. destruct J as [<- | []].
      apply (Moved (Load v0)). apply in_or_app; right; left; reflexivity.
    - apply NoDup_filter, vertices_NoDup.
    - intros v I. apply first_load; [eapply inputs_loaded; eauto | | intros []].
      apply filter_In in I. destruct I as (_ & I). apply andb_prop in I. tauto. }
  assert (B : sum (words g) (outputs g) <= sum (words g) (picks last_stores [] p)).
  { apply sum_incl.
    - intros v I. apply picks_of in I. destruct I as (a & m & b & -> & J).
      destruct m; simpl in J; try destruct J. destruct (output g v0); [|destruct J].
      destruct J as [<- | []]. apply (Moved (Store v0)). apply in_or_app; right; left; reflexivity.
    - apply NoDup_filter, vertices_NoDup.
    - intros v I. pose proof (outputs_stored _ _ W F v I) as J. apply in_split in J.
      destruct J as (a & b & ->). apply picks_In. simpl. apply filter_In in I. destruct I as (_ & ->).
      left; reflexivity. }
  lia.
Qed.
Lemma events_below : forall p t, walks r g M (start g) p t -> forall e, In e (events p) ->
  (fst e < size g)%N.
Proof.
  intros p t W e I. apply picks_of in I. destruct I as (a & m & b & -> & J).
  assert (K : In m (a ++ m :: b)) by (apply in_or_app; right; left; reflexivity).
  pose proof (moved_below _ _ _ _ _ _ W m K) as L. destruct m; simpl in J; try destruct J.
  - destruct (is_input g v && negb (loads v a)); [destruct J|]. destruct J as [<- | []]. exact L.
  - destruct (output g v); [destruct J|]. destruct J as [<- | []]. exact L.
Qed.
End Compulsory.

(* THEOREM compulsory. Under all rules every play moves the inputs that are read and the outputs. *)
Theorem compulsory_words : forall r g M p, sound g -> wins r g M p -> compulsory g <= cost g p.
Proof.
  intros r g M p S (t & H & F). pose proof (run_walks _ _ _ _ _ _ H) as W.
  pose proof (cost_least r g M S (fun _ => []) p t W F).
  assert (0 <= sum (fun e => words g (fst e)) (events g (fun _ => []) p)).
  { apply sum_nonneg. intros e I. pose proof (events_below r g M (fun _ => []) p t W e I) as L.
    pose proof (positive g S _ L). lia. }
  lia.
Qed.

(* THEOREM P5 (the ledger). What parts show of a play in half words, with charges for the moves
   beyond the compulsory ones, holds together if no move is charged more than it moves. *)
Theorem ledger : forall r g M chosen p (charge : row -> Z) parts total, sound g -> wins r g M p ->
  0 < parts -> 2 * total <= sum charge (events g chosen p) ->
  (forall v i, (v < size g)%N -> charge (v, i) <= 2 * parts * words g v) ->
  compulsory g + Z.max 0 (- ((- total) / parts)) <= cost g p.
Proof.
  intros r g M chosen p charge parts total S (t & H & F) D T C.
  pose proof (run_walks _ _ _ _ _ _ H) as W. pose proof (cost_least r g M S chosen p t W F) as K.
  set (e := sum (fun x => words g (fst x)) (events g chosen p)) in *.
  assert (0 <= e).
  { apply sum_nonneg. intros x I. pose proof (events_below r g M chosen p t W x I) as L.
    pose proof (positive g S _ L). lia. }
  assert (2 * total <= 2 * parts * e).
  { eapply Z.le_trans; [exact T|]. unfold e. rewrite <- sum_times. apply sum_le. intros (v, i) I.
    apply C. exact (events_below r g M chosen p t W _ I). }
  assert (- ((- total) / parts) <= e).
  { assert (- e <= (- total) / parts); [|lia]. apply Z.div_le_lower_bound; nia. }
  lia.
Qed.
