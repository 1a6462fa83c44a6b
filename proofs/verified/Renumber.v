(* The same DAG under other numbers: a play of one is a play of the other, and moves as much. *)
Require Import List NArith ZArith Bool Lia.
From RedBlue Require Import Game Plays Compulsory Maps Dags Fronts Orders.
Import ListNotations.
Open Scope Z_scope.

Definition named_move (f : N -> N) (m : move) : move :=
  match m with Load v => Load (f v) | Store v => Store (f v) | Compute v => Compute (f v) | Delete v => Delete (f v) end.

Section Renumber.
Variables (g h : dag) (f : N -> N).
Hypothesis S : sound g.
Hypothesis same_size : size h = size g.
Hypothesis injective : forall u v, f u = f v -> u = v.
Hypothesis within : forall v, (v < size g)%N -> (f v < size g)%N.
Hypothesis onto : forall w, (w < size g)%N -> exists v, (v < size g)%N /\ f v = w.
Hypothesis same_words : forall v, (v < size g)%N -> words h (f v) = words g v.
Hypothesis same_output : forall v, (v < size g)%N -> output h (f v) = output g v.
Hypothesis same_operands : forall v w, (v < size g)%N -> In w (operands h (f v)) <-> exists u, In u (operands g v) /\ f u = w.

Lemma mem_map : forall v l, mem (f v) (List.map f l) = mem v l.
Proof.
  intros v l. destruct (mem v l) eqn:E.
  - apply mem_In. apply mem_In in E. apply in_map, E.
  - apply mem_not_In. apply mem_not_In in E. intros I. apply in_map_iff in I. destruct I as (u & Q & I).
    apply injective in Q. subst u. tauto.
Qed.
Lemma mem_operands : forall v u, (v < size g)%N -> mem (f u) (operands h (f v)) = mem u (operands g v).
Proof.
  intros v u L. destruct (mem u (operands g v)) eqn:E.
  - apply mem_In. apply mem_In in E. apply same_operands; eauto.
  - apply mem_not_In. apply mem_not_In in E. intros I. apply same_operands in I; [|exact L].
    destruct I as (w & J & Q). apply injective in Q. subst w. tauto.
Qed.
Lemma same_input : forall v, (v < size g)%N -> is_input h (f v) = is_input g v.
Proof.
  intros v L. unfold is_input. destruct (operands g v) as [|u l] eqn:E.
  - destruct (operands h (f v)) as [|w k] eqn:Q; [reflexivity|]. exfalso.
    assert (I : In w (operands h (f v))) by (rewrite Q; left; reflexivity). apply same_operands in I; [|exact L].
    rewrite E in I. destruct I as (x & [] & _).
  - destruct (operands h (f v)) as [|w k] eqn:Q; [|reflexivity]. exfalso.
    assert (I : In (f u) (operands h (f v))) by (apply same_operands; [exact L | exists u; rewrite E; simpl; auto]).
    rewrite Q in I. destruct I.
Qed.

Definition alike (s t : state) : Prop :=
  red t = List.map f (red s) /\ done t = List.map f (done s) /\ (forall v, (v < size g)%N -> In (f v) (blue t) <-> In v (blue s))
  /\ forall v, In v (red s) -> (v < size g)%N.
Lemma used_alike : forall s t, alike s t -> used h t = used g s.
Proof.
  intros s t (R & _ & _ & B). unfold used. rewrite R, sum_map. apply sum_ext. intros v I. apply same_words, B, I.
Qed.
Lemma step_alike : forall r M m next s s' t, alike s s' -> step r g M m next s = Some t ->
  exists t', step r h M (named_move f m) (option_map (named_move f) next) s' = Some t' /\ alike t t'.
Proof.
  intros r M m next s s' t A H. pose proof (used_alike _ _ A) as U. pose proof (step_cases _ _ _ _ _ _ _ H) as C.
  destruct A as (R & D & B & L).
  assert (Bl : forall v, (v < size g)%N -> mem (f v) (blue s') = mem v (blue s)).
  { intros v Lv. destruct (mem v (blue s)) eqn:E.
    - apply mem_In, B; [exact Lv | apply mem_In, E].
    - apply mem_not_In. apply mem_not_In in E. intros I. apply E, B; assumption. }
  assert (Lt : forall v, (v < size g)%N -> (f v <? size h)%N = true).
  { intros v Lv. apply N.ltb_lt. rewrite same_size. apply within, Lv. }
  destruct m as [v | v | v | v]; simpl.
  - destruct C as (Lv & I & N & F & R1 & B1 & D1).
    rewrite (Lt v Lv), (Bl v Lv), R, mem_map, U, same_words by exact Lv. cbn [andb].
    rewrite (proj2 (mem_In _ _) I), (proj2 (mem_not_In _ _) N), (proj2 (Z.leb_le _ _) F). simpl.
    eexists. split; [reflexivity|]. unfold alike. simpl. rewrite R1, D1, B1. repeat split; auto.
    + apply B; assumption. + apply B; assumption. + intros u [<- | J]; auto.
  - destruct C as (Lv & I & N & R1 & B1 & D1).
    rewrite (Lt v Lv), (Bl v Lv), R, mem_map. rewrite (proj2 (mem_In _ _) I), (proj2 (mem_not_In _ _) N). simpl.
    eexists. split; [reflexivity|]. unfold alike. simpl. rewrite R1, D1, B1. split; [first [reflexivity | exact R]|]. split; [exact D|].
    split; [|exact L]. intros u Lu. simpl. rewrite B by exact Lu. split; (intros [E | J]; [|auto]).
    + left. apply injective, E.
    + left. congruence.
  - destruct C as (Lv & Z & N & O & Op & F & R1 & B1 & D1).
    assert (Sl : slid r h M s' (f v) (option_map (named_move f) next) = slid r g M s v next).
    { unfold slid. rewrite U, same_words by exact Lv. destruct (sliding r && _); [|reflexivity].
      destruct next as [[u | u | u | u] |]; try reflexivity. simpl. rewrite mem_operands by exact Lv.
      destruct (mem u (operands g v)) eqn:E; [|reflexivity]. apply mem_In in E.
      apply same_words. pose proof (ordered g S v u Lv E). lia. }
    rewrite (Lt v Lv), same_input, Z, R, D, !mem_map, U, same_words, Sl by exact Lv. cbn [andb negb].
    rewrite (proj2 (mem_not_In _ _) N), (proj2 (Z.leb_le _ _) F). simpl.
    assert (On : recompute r || negb (mem v (done s)) = true).
    { destruct (recompute r); [reflexivity|]. simpl. apply negb_true_iff, mem_not_In, O, eq_refl. }
    rewrite On. simpl.
    assert (Al : forallb (fun u => mem u (List.map f (red s))) (operands h (f v)) = true).
    { apply forallb_forall. intros w I. apply same_operands in I; [|exact Lv]. destruct I as (u & J & <-).
      rewrite mem_map. apply mem_In, Op, J. }
    rewrite Al. simpl. eexists. split; [reflexivity|]. unfold alike. simpl. rewrite R1, D1, B1. repeat split; auto.
    + apply B; assumption. + apply B; assumption. + intros u [<- | J]; auto.
  - destruct C as (Lv & I & R1 & B1 & D1). rewrite (Lt v Lv), R, mem_map, (proj2 (mem_In _ _) I). simpl.
    eexists. split; [reflexivity|]. unfold alike. simpl. rewrite R1, D1, B1. split.
    + clear -injective. induction (red s) as [|u l IH]; simpl; [reflexivity|].
      destruct (N.eqb_spec u v) as [-> | Q].
      * rewrite N.eqb_refl. simpl. exact IH.
      * destruct (N.eqb_spec (f u) (f v)) as [E | _]; [apply injective in E; congruence|]. simpl. rewrite IH. reflexivity.
    + split; [exact D|]. split; [exact B|]. intros u J. apply in_without in J. apply L; tauto.
Qed.
Theorem renumbered_play : forall r M p, wins r g M p -> wins r h M (List.map (named_move f) p) /\ cost h (List.map (named_move f) p) = cost g p.
Proof.
  intros r M p (t & H & F).
  assert (A0 : alike (start g) (start h)).
  { unfold alike. simpl. repeat split; auto; try (intros v []).
    - intros I. apply filter_In in I. destruct I as (I & Z). rewrite same_input in Z by assumption. apply filter_In.
      split; [apply vertices_In; assumption | exact Z].
    - intros I. apply filter_In in I. destruct I as (I & Z). apply filter_In. split.
      + apply vertices_In. rewrite same_size. apply within. assumption.
      + rewrite same_input by assumption. exact Z. }
  assert (G : forall p s s' t, alike s s' -> run r g M p s = Some t ->
    exists t', run r h M (List.map (named_move f) p) s' = Some t' /\ alike t t' /\ cost h (List.map (named_move f) p) = cost g p).
  { clear -S same_size injective within same_words same_operands. unfold cost. induction p as [|m p IH]; simpl; intros s s' t A H.
    - injection H as <-. exists s'. auto.
    - destruct (step r g M m (hd_error p) s) as [y |] eqn:E; [|discriminate].
      destruct (step_alike _ _ _ _ _ _ _ A E) as (y' & E' & A').
      assert (Hd : hd_error (List.map (named_move f) p) = option_map (named_move f) (hd_error p)) by (destruct p; reflexivity).
      rewrite Hd, E'. destruct (IH y y' t A' H) as (t' & H' & At & C). exists t'. split; [exact H'|]. split; [exact At|].
      rewrite C. f_equal. apply step_cases in E. destruct m; simpl; try reflexivity; apply same_words; tauto. }
  destruct (G p _ _ t A0 H) as (t' & H' & (_ & _ & B & _) & C). split; [|exact C]. exists t'. split; [exact H'|].
  unfold finished in *. rewrite forallb_forall in *. intros w I. apply vertices_In in I. rewrite same_size in I.
  destruct (onto w I) as (v & Lv & <-). specialize (F v (proj2 (vertices_In g v) Lv)). rewrite same_output by exact Lv.
  destruct (output g v); [|reflexivity]. simpl in *. apply mem_In, B; [exact Lv | apply mem_In, F].
Qed.
End Renumber.

(* The lines of a DAG of which the vertex in place i of a list is called i. *)
Fixpoint insert_rising (x : N) (l : list N) : list N :=
  match l with [] => [x] | y :: rest => if (x <=? y)%N then x :: l else y :: insert_rising x rest end.
Definition sorted (l : list N) : list N := fold_left (fun acc x => insert_rising x acc) l [].
Lemma sorted_In : forall l x, In x (sorted l) <-> In x l.
Proof.
  assert (I : forall y l x, In x (insert_rising y l) <-> x = y \/ In x l).
  { intros y. induction l as [|z l IH]; simpl; intros x; [intuition|]. destruct (y <=? z)%N; simpl; [intuition|].
    rewrite IH. intuition. }
  assert (G : forall l acc x, In x (fold_left (fun acc x => insert_rising x acc) l acc) <-> In x acc \/ In x l).
  { induction l as [|y l IH]; simpl; intros acc x; [tauto|]. rewrite IH, I. intuition. }
  intros l x. unfold sorted. rewrite G. simpl. tauto.
Qed.
Definition places_of (l : list N) : map N :=
  snd (fold_left (fun nm v => (N.succ (fst nm), put (snd nm) v (fst nm))) l (0%N, empty N)).
Definition new_number (m : map N) (v : N) : N := match find m v with Some i => i | None => v end.
Definition new_lines (g : dag) (l : list N) (m : map N) : list line :=
  List.map (fun v => {| line_words := words g v; line_output := output g v;
                        line_operands := sorted (List.map (new_number m) (operands g v)) |}) l.
Definition permutation (n : N) (l : list N) : bool :=
  (N.of_nat (length l) =? n)%N && forallb (fun v => (v <? n)%N) l && apart l.

Lemma table_spec : forall l, fst (table l) = N.of_nat (length l)
  /\ forall i, find (snd (table l)) i = nth_error l (N.to_nat i).
Proof.
  assert (G : forall l k m, fst (fold_left (fun nm x => (N.succ (fst nm), put (snd nm) (fst nm) x)) l (k, m)) = (k + N.of_nat (length l))%N
    /\ forall i, find (snd (fold_left (fun nm x => (N.succ (fst nm), put (snd nm) (fst nm) (x : line))) l (k, m))) i
       = if (i <? k)%N then find m i else match nth_error l (N.to_nat (i - k)) with Some x => Some x | None => find m i end).
  { induction l as [|x l IH]; simpl; intros k m.
    - split; [lia|]. intros i. destruct (i <? k)%N; [reflexivity|]. destruct (N.to_nat (i - k)); reflexivity.
    - destruct (IH (N.succ k) (put m k x)) as (A & B). split; [rewrite A; lia|]. intros i. rewrite B, find_put.
      destruct (N.ltb_spec i (N.succ k)) as [P | P], (N.ltb_spec i k) as [Q | Q], (N.eqb_spec k i) as [E | E]; try lia; try reflexivity.
      + subst i. rewrite N.sub_diag. reflexivity.
      + replace (N.to_nat (i - k)) with (Datatypes.S (N.to_nat (i - N.succ k))) by lia. reflexivity. }
  intros l. destruct (G l 0%N (empty line)) as (A & B). split; [exact A|]. intros i. unfold table. rewrite B.
  destruct (N.ltb_spec i 0); [lia|]. rewrite N.sub_0_r, find_empty. destruct (nth_error l (N.to_nat i)); reflexivity.
Qed.
Lemma places_spec : forall l, NoDup l -> forall v i, nth_error l (N.to_nat i) = Some v <-> find (places_of l) v = Some i.
Proof.
  assert (G : forall l k m, NoDup l -> (forall v, In v l -> find m v = None) -> forall v i,
    find (snd (fold_left (fun nm v => (N.succ (fst nm), put (snd nm) v (fst nm))) l (k, m))) v = Some i
    <-> find m v = Some i \/ ((k <= i)%N /\ nth_error l (N.to_nat (i - k)) = Some v)).
  { induction l as [|x l IH]; simpl; intros k m D F v i.
    - split; [auto|]. intros [H | (_ & H)]; [exact H|]. destruct (N.to_nat (i - k)); discriminate.
    - inversion D as [|? ? N D']; subst. rewrite IH; [|exact D' |].
      + rewrite find_put. destruct (N.eqb_spec x v) as [-> | E].
        * split.
          -- intros [H | (L & H)]; [injection H as <-; right; split; [lia|]; rewrite N.sub_diag; reflexivity|].
             exfalso. apply N. eapply nth_error_In; eauto.
          -- intros [H | (L & H)]; [rewrite F in H by auto; discriminate|].
             destruct (N.to_nat (i - k)) eqn:Q; [left; f_equal; lia|]. exfalso. apply N. simpl in H. eapply nth_error_In; eauto.
        * split.
          -- intros [H | (L & H)]; [left; exact H|]. right. split; [lia|].
             replace (N.to_nat (i - k)) with (Datatypes.S (N.to_nat (i - N.succ k))) by lia. exact H.
          -- intros [H | (L & H)]; [left; exact H|]. destruct (N.to_nat (i - k)) eqn:Q; [simpl in H; congruence|].
             right. split; [lia|]. replace (N.to_nat (i - N.succ k)) with n by lia. exact H.
      + intros w I. rewrite find_put. destruct (N.eqb_spec x w) as [-> | _]; [tauto | auto]. }
  intros l D v i. unfold places_of. rewrite (G l 0%N (empty N) D) by (intros; apply find_empty).
  rewrite find_empty, N.sub_0_r. split; [intros H; right; split; [lia | exact H] | intros [H | (_ & H)]; [discriminate | exact H]].
Qed.

(* THEOREM: what is proved of the DAG under other numbers is true of the DAG. *)
Theorem renumbered_bound : forall g l r M b, sound g -> permutation (size g) l = true ->
  (forall p, wins r (dag_of (new_lines g l (places_of l))) M p -> b <= cost (dag_of (new_lines g l (places_of l))) p) ->
  forall p, wins r g M p -> b <= cost g p.
Proof.
  intros g l r M b S P H p W. unfold permutation in P. apply andb_prop in P. destruct P as (P & Ap).
  apply andb_prop in P. destruct P as (Le & Bl). apply N.eqb_eq in Le. rewrite forallb_forall in Bl. apply apart_NoDup in Ap.
  set (m := places_of l) in *. set (lines := new_lines g l m) in *. set (h := dag_of lines) in *.
  assert (Bl' : forall v, In v l -> (v < size g)%N) by (intros v I; apply N.ltb_lt, Bl, I).
  assert (All : forall v, (v < size g)%N -> In v l).
  { intros v L. destruct (In_dec N.eq_dec v l) as [I | N]; [exact I|]. exfalso.
    assert (Q : (length (v :: l) <= length (vertices g))%nat).
    { apply NoDup_incl_length; [constructor; assumption|]. intros u [<- | I]; apply vertices_In; auto. }
    unfold vertices in Q. rewrite map_length, seq_length in Q. simpl in Q. lia. }
  assert (Num : forall v, (v < size g)%N -> exists i, find m v = Some i /\ nth_error l (N.to_nat i) = Some v /\ (i < size g)%N).
  { intros v L. destruct (In_nth_error _ _ (All v L)) as (k & E). exists (N.of_nat k).
    assert (E' : nth_error l (N.to_nat (N.of_nat k)) = Some v) by (rewrite Nat2N.id; exact E).
    split; [apply places_spec; assumption|]. split; [exact E'|].
    assert (k < length l)%nat by (apply nth_error_Some; congruence). lia. }
  destruct (table_spec lines) as (T1 & T2).
  assert (Sz : size h = size g).
  { unfold h, dag_of. destruct (table lines) as (n & t) eqn:E. simpl in *. rewrite T1. unfold lines, new_lines. rewrite map_length. exact Le. }
  assert (Line : forall v, (v < size g)%N -> find (snd (table lines)) (new_number m v) = Some {| line_words := words g v;
      line_output := output g v; line_operands := sorted (List.map (new_number m) (operands g v)) |}).
  { intros v L. destruct (Num v L) as (i & E & N & _). unfold new_number at 1. rewrite E, T2. unfold lines, new_lines.
    apply (map_nth_error (fun v => {| line_words := words g v; line_output := output g v;
      line_operands := sorted (List.map (new_number m) (operands g v)) |}) _ _ N). }
  assert (Inj : forall u v, new_number m u = new_number m v -> u = v).
  { assert (Out : forall v, ~ (v < size g)%N -> new_number m v = v).
    { intros v N. unfold new_number. destruct (find m v) as [i |] eqn:E; [|reflexivity]. exfalso.
      apply places_spec in E; [|exact Ap]. apply N, Bl'. eapply nth_error_In; eauto. }
    intros u v E. destruct (N.lt_ge_cases u (size g)) as [Lu | Lu], (N.lt_ge_cases v (size g)) as [Lv | Lv].
    - destruct (Num u Lu) as (i & Ei & Ni & _). destruct (Num v Lv) as (j & Ej & Nj & _). unfold new_number in E.
      rewrite Ei, Ej in E. subst j. congruence.
    - destruct (Num u Lu) as (i & Ei & _ & Li). rewrite (Out v) in E by lia. unfold new_number in E. rewrite Ei in E. lia.
    - destruct (Num v Lv) as (i & Ei & _ & Li). rewrite (Out u) in E by lia. unfold new_number in E. rewrite Ei in E. lia.
    - rewrite !Out in E by lia. exact E. }
  assert (R : wins r h M (List.map (named_move (new_number m)) p) /\ cost h (List.map (named_move (new_number m)) p) = cost g p).
  { apply renumbered_play; auto.
    - intros v L. destruct (Num v L) as (i & E & _ & Li). unfold new_number. rewrite E. exact Li.
    - intros i L. destruct (nth_error l (N.to_nat i)) as [v |] eqn:E.
      + exists v. split; [apply Bl'; eapply nth_error_In; eauto|]. apply places_spec in E; [|exact Ap].
        unfold new_number. fold m in E. rewrite E. reflexivity.
      + apply nth_error_None in E. lia.
    - intros v L. unfold h, dag_of. pose proof (Line v L) as Q. destruct (table lines) as (n & t). simpl in *. rewrite Q. reflexivity.
    - intros v L. unfold h, dag_of. pose proof (Line v L) as Q. destruct (table lines) as (n & t). simpl in *. rewrite Q. reflexivity.
    - intros v w L. unfold h, dag_of. pose proof (Line v L) as Q. destruct (table lines) as (n & t). simpl in *. rewrite Q. simpl.
      rewrite sorted_In, in_map_iff. split; intros (u & A & B); exists u; auto. }
  destruct R as (R1 & R2). rewrite <- R2. apply H, R1.
Qed.
