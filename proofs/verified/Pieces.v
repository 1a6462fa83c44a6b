(* Pieces of a DAG, and who comes before and after some vertices of one. *)
Require Import List NArith ZArith Bool Lia.
From RedBlue Require Import Game Plays Maps Dags.
Import ListNotations.
Open Scope Z_scope.

Record piece := {
  members : list N;             (* rising *)
  downward : list N;            (* the same, falling *)
  inside : map unit;            (* the same, as a set *)
  vertex_at : map N;            (* the vertex in each place of the piece *)
  places : N;                   (* how many vertices *)
  edge_at : map (N * N);        (* operand and result of each edge, in the rows of results *)
  edge_count : N
}.

Section Pieces.
Variable g : dag.
Definition inner (P : piece) (v : N) : list N := filter (has (inside P)) (operands g v).

Definition cut_edges (within : map unit) (l : list N) : N * map (N * N) :=
  fold_left (fun nm v =>
    fold_left (fun nm u => if has within u then (N.succ (fst nm), put (snd nm) (fst nm) (u, v)) else nm)
      (operands g v) nm) l (0%N, empty (N * N)).
Definition cut (l : list N) : piece :=
  let within := set_of l in
  let at_ := fold_left (fun nm v => (N.succ (fst nm), put (snd nm) (fst nm) v)) l (0%N, empty N) in
  let edges := cut_edges within l in
  {| members := l; downward := rev_append l []; inside := within; vertex_at := snd at_; places := fst at_;
     edge_at := snd edges; edge_count := fst edges |}.

Record proper (P : piece) : Prop := {
  members_distinct : NoDup (members P);
  members_below : forall v, In v (members P) -> (v < size g)%N;
  downward_same : forall v, In v (downward P) <-> In v (members P);
  inside_members : forall v, has (inside P) v = true <-> In v (members P);
  edge_ends : forall i u v, find (edge_at P) i = Some (u, v) ->
    In u (members P) /\ In v (members P) /\ In u (operands g v);
  place_member : forall i v, find (vertex_at P) i = Some v -> In v (members P)
}.
Lemma cut_edges_ends : forall within l i u v, find (snd (cut_edges within l)) i = Some (u, v) ->
  has within u = true /\ In v l /\ In u (operands g v).
Proof.
  intros within l. unfold cut_edges.
  set (good := fun l' (nm : N * map (N * N)) => forall i u v, find (snd nm) i = Some (u, v) ->
      has within u = true /\ In v l' /\ In u (operands g v)).
  assert (Row : forall v l' ops nm, In v l' -> incl ops (operands g v) -> good l' nm -> good l'
    (fold_left (fun nm u => if has within u then (N.succ (fst nm), put (snd nm) (fst nm) (u, v)) else nm) ops nm)).
  { intros v l'. induction ops as [|x ops IH]; simpl; intros nm I J G; [exact G|].
    apply IH; [exact I | intros y K; apply J; right; exact K|].
    destruct (has within x) eqn:E; [|exact G]. intros i u w F. simpl in F. rewrite find_put in F.
    destruct (fst nm =? i)%N; [|eapply G; eauto]. injection F as <- <-. repeat split; auto. apply J; left; auto. }
  assert (All : forall k nm, incl k l -> good l nm -> good l
    (fold_left (fun nm v => fold_left (fun nm u => if has within u
       then (N.succ (fst nm), put (snd nm) (fst nm) (u, v)) else nm) (operands g v) nm) k nm)).
  { induction k as [|v k IH]; simpl; intros nm I G; [exact G|].
    apply IH; [intros y K; apply I; right; exact K|]. apply Row; auto; [apply I; left; auto | apply incl_refl]. }
  apply All; [apply incl_refl|]. intros i u v F. simpl in F. rewrite find_empty in F. discriminate.
Qed.
Lemma cut_proper : forall l, rising 0 (size g) l = true -> proper (cut l).
Proof.
  intros l R. constructor; simpl.
  - eapply rising_NoDup; eauto.
  - intros v I. apply (rising_bounds _ _ _ R v I).
  - intros v. rewrite rev_append_rev, app_nil_r, <- in_rev. tauto.
  - intros v. apply has_set_of.
  - intros i u v F. apply cut_edges_ends in F. rewrite has_set_of in F. tauto.
  - intros i v.
    assert (G : forall k nm, incl k l -> (forall i v, find (snd nm) i = Some v -> In v l) ->
      forall i v, find (snd (fold_left (fun nm v => (N.succ (fst nm), put (snd nm) (fst nm) v)) k nm)) i = Some v -> In v l).
    { induction k as [|x k IH]; simpl; intros nm I G; [exact G|]. apply IH.
      - intros y K. apply I. right; exact K.
      - simpl. intros j w F. rewrite find_put in F. destruct (fst nm =? j)%N; [|eauto].
        injection F as <-. apply I. left; reflexivity. }
    apply G; [apply incl_refl|]. simpl. intros j w F. rewrite find_empty in F. discriminate.
Qed.
Lemma inner_operand : forall P v u, In u (inner P v) -> In u (operands g v).
Proof. intros P v u I. apply filter_In in I. tauto. Qed.

(* Sets of some vertices that each vertex reaches, as bits: bit i for the i-th of them. *)
Definition bits (m : map N) (v : N) : N := match find m v with Some s => s | None => 0%N end.
Definition own_bits (l : list N) : N * map N :=
  fold_left (fun bm v => (N.double (fst bm), put (snd bm) v (N.lor (bits (snd bm) v) (fst bm)))) l (1%N, empty N).
Definition reaching (P : piece) (l : list N) : map N :=
  fold_left (fun m v => let s := bits m v in
    if (s =? 0)%N then m else fold_left (fun m u => put m u (N.lor (bits m u) s)) (inner P v) m)
    (downward P) (snd (own_bits l)).
(* Ancestors of all vertices of a list, none of which is one of them. *)
Definition common (P : piece) (l : list N) : N -> bool :=
  let m := reaching P l in
  let full := N.pred (fst (own_bits l)) in
  let own := set_of l in
  fun v => (bits m v =? full)%N && negb (has own v).

Lemma bits_put : forall m u v s, bits (put m u s) v = if (u =? v)%N then s else bits m v.
Proof. intros. unfold bits. rewrite find_put. destruct (u =? v)%N; reflexivity. Qed.
Lemma own_bits_from : forall l j m, (forall v i, (j <= i)%N -> N.testbit (bits m v) i = false) ->
  let f := fun bm v => (N.double (fst bm), put (snd bm) v (N.lor (bits (snd bm) v) (fst bm))) in
  fst (fold_left f l (2 ^ j, m)%N) = (2 ^ (j + N.of_nat (length l)))%N
  /\ (forall v i, (i < j)%N -> N.testbit (bits (snd (fold_left f l (2 ^ j, m)%N)) v) i = N.testbit (bits m v) i)
  /\ (forall x, In x l -> exists i, (j <= i < j + N.of_nat (length l))%N /\
       forall v, N.testbit (bits (snd (fold_left f l (2 ^ j, m)%N)) v) i = true -> v = x).
Proof.
  induction l as [|x l IH]; intros j m Z f.
  - simpl. split; [f_equal; lia|]. split; [reflexivity | intros x []].
  - cbn [fold_left]. set (m' := put m x (N.lor (bits m x) (2 ^ j))).
    assert (E : f ((2 ^ j)%N, m) x = ((2 ^ (N.succ j))%N, m')).
    { unfold f, m'. cbn [fst snd]. rewrite N.pow_succ_r', N.double_spec. reflexivity. }
    rewrite E. clear E.
    replace (N.of_nat (length (x :: l))) with (N.succ (N.of_nat (length l))) by (simpl length; lia).
    assert (Z' : forall v i, (N.succ j <= i)%N -> N.testbit (bits m' v) i = false).
    { intros v i L. unfold m'. rewrite bits_put. destruct (N.eqb_spec x v) as [-> | _]; [|apply Z; lia].
      rewrite N.lor_spec, Z, N.pow2_bits_eqb by lia. simpl. apply N.eqb_neq. lia. }
    destruct (IH (N.succ j) m' Z') as (A & B & C). fold f in A, B, C |- *. split; [|split].
    + rewrite A. f_equal. lia.
    + intros v i L. rewrite B by lia. unfold m'. rewrite bits_put. destruct (N.eqb_spec x v) as [-> | _]; [|reflexivity].
      rewrite N.lor_spec, N.pow2_bits_eqb. destruct (N.eqb_spec j i); [lia|]. apply orb_false_r.
    + intros y [<- | I].
      * exists j. split; [lia|]. intros v T. rewrite B in T by lia. unfold m' in T. rewrite bits_put in T.
        destruct (N.eqb_spec x v) as [-> | _]; [reflexivity|]. rewrite Z in T by lia. discriminate.
      * destruct (C y I) as (i & L & T). exists i. split; [lia | exact T].
Qed.
Lemma reaching_bit : forall P l i (Q : N -> Prop), (forall v u, Q v -> In u (operands g v) -> Q u) ->
  (forall v, N.testbit (bits (snd (own_bits l)) v) i = true -> Q v) ->
  forall v, N.testbit (bits (reaching P l) v) i = true -> Q v.
Proof.
  intros P l i Q C. unfold reaching. generalize (snd (own_bits l)). generalize (downward P).
  induction l0 as [|x k IH]; simpl; intros m H v T; [auto|]. revert v T. apply IH.
  destruct (bits m x =? 0)%N; [exact H|].
  assert (G : forall ops m', incl ops (inner P x) -> (forall v, N.testbit (bits m' v) i = true -> Q v) ->
    forall v, N.testbit (bits (fold_left (fun m u => put m u (N.lor (bits m u) (bits m x))) [] m') v) i = true -> Q v)
    by (simpl; auto). clear G.
  assert (G : forall s ops m', incl ops (inner P x) -> (N.testbit s i = true -> Q x) ->
    (forall v, N.testbit (bits m' v) i = true -> Q v) ->
    forall v, N.testbit (bits (fold_left (fun m u => put m u (N.lor (bits m u) s)) ops m') v) i = true -> Q v).
  { intros s. induction ops as [|u ops IHo]; simpl; intros m' I Hx H' v T; [auto|].
    eapply IHo; [| exact Hx | | exact T].
    - intros y J. apply I. right; exact J.
    - intros w T'. rewrite bits_put in T'. destruct (N.eqb_spec u w) as [-> | _]; [|auto].
      rewrite N.lor_spec in T'. apply orb_prop in T'. destruct T' as [T' | T']; [auto|].
      apply (C x); auto. apply (inner_operand P). apply I. left; reflexivity. }
  apply G; [apply incl_refl | auto | exact H].
Qed.
Lemma common_sound : forall P l x (B : N -> Prop), In x l ->
  (forall u, In u (operands g x) -> B u) -> (forall v u, B v -> In u (operands g v) -> B u) ->
  forall v, common P l v = true -> B v.
Proof.
  intros P l x B I O C v A. unfold common in A. apply andb_prop in A. destruct A as (A & W).
  apply N.eqb_eq in A. apply negb_true_iff in W.
  assert (Z : forall v i, (0 <= i)%N -> N.testbit (bits (empty N) v) i = false).
  { intros w i _. unfold bits. rewrite find_empty. apply N.bits_0. }
  destruct (own_bits_from l 0 (empty N) Z) as (F & _ & G). destruct (G x I) as (i & L & T).
  assert (R : v = x \/ B v).
  { apply (reaching_bit P l i (fun v => v = x \/ B v)).
    - intros w u [-> | H] J; right; eauto.
    - intros w H. left. apply T. exact H.
    - rewrite A. unfold own_bits at 1. change (1%N) with (2 ^ 0)%N. rewrite F, N.add_0_l.
      rewrite <- N.ones_equiv. apply N.ones_spec_low. lia. }
  destruct R as [-> | R]; [|exact R]. exfalso.
  assert (H : has (set_of l) x = true) by (apply has_set_of; exact I). congruence.
Qed.

(* Some vertices with all that come after them, and those that come after none of the others. *)
Definition follow (P : piece) (front : list N) : map unit * list N :=
  let own := set_of front in
  fold_left (fun mf v =>
    if existsb (has (fst mf)) (inner P v) then (insert (fst mf) v, snd mf)
    else if has own v then (insert (fst mf) v, v :: snd mf) else mf)
    (members P) (empty unit, []).
Lemma follow_sound : forall P front (Q : N -> Prop), (forall v, In v front -> Q v) ->
  (forall v u, Q u -> In u (operands g v) -> Q v) ->
  (forall v, has (fst (follow P front)) v = true -> Q v)
  /\ (forall v, In v front -> In v (members P) -> (forall u, In u (operands g v) -> ~ Q u) ->
        In v (snd (follow P front))).
Proof.
  intros P front Q F C. unfold follow.
  assert (G : forall l mf, (forall v, has (fst mf) v = true -> Q v) ->
    let mf' := fold_left (fun mf v =>
      if existsb (has (fst mf)) (inner P v) then (insert (fst mf) v, snd mf)
      else if has (set_of front) v then (insert (fst mf) v, v :: snd mf) else mf) l mf in
    (forall v, has (fst mf') v = true -> Q v) /\ (forall v, In v (snd mf) -> In v (snd mf')) /\
    (forall v, In v front -> In v l -> (forall u, In u (operands g v) -> ~ Q u) -> In v (snd mf'))).
  { induction l as [|x l IH]; simpl; intros mf H; [split; [exact H | split; [auto | intros v _ []]]|].
    set (next := if existsb (has (fst mf)) (inner P x) then (insert (fst mf) x, snd mf)
      else if has (set_of front) x then (insert (fst mf) x, x :: snd mf) else mf).
    assert (N1 : forall v, has (fst next) v = true -> Q v).
    { unfold next. destruct (existsb (has (fst mf)) (inner P x)) eqn:E.
      - simpl. intros v T. rewrite has_insert in T. apply orb_prop in T. destruct T as [T | T]; [|auto].
        apply N.eqb_eq in T. subst v. apply existsb_exists in E. destruct E as (u & I & T).
        apply (C x u); auto. eapply inner_operand; eauto.
      - destruct (has (set_of front) x) eqn:E'; [|exact H]. simpl. intros v T. rewrite has_insert in T.
        apply orb_prop in T. destruct T as [T | T]; [|auto]. apply N.eqb_eq in T. subst v.
        apply F, has_set_of, E'. }
    destruct (IH next N1) as (A & B & D). split; [exact A|]. split.
    - intros v I. apply B. unfold next. destruct (existsb _ _); [exact I|].
      destruct (has _ x); [right|]; exact I.
    - intros v I [-> | J] O; [|apply D; auto]. apply B. unfold next.
      destruct (existsb (has (fst mf)) (inner P v)) eqn:E.
      + exfalso. apply existsb_exists in E. destruct E as (u & K & T). apply (O u); [eapply inner_operand; eauto | auto].
      + assert (T : has (set_of front) v = true) by (apply has_set_of; exact I). rewrite T. left; reflexivity. }
  destruct (G (members P) (empty unit, [])) as (A & _ & B).
  { simpl. intros v T. rewrite has_empty in T. discriminate. }
  split; [exact A | exact B].
Qed.
End Pieces.
