(* What a search of the game remembers of fast memory: values that are there, rising, each with its
   words and whether slow memory lacks it. *)
Require Import List NArith ZArith Bool Lia.
From RedBlue Require Import Game Plays Maps.
Import ListNotations.
Open Scope Z_scope.

Record entry := { value : N; weight : Z; dirty : bool }.
Fixpoint lookup (l : list entry) (v : N) : option bool :=
  match l with [] => None | e :: k => if (value e =? v)%N then Some (dirty e) else lookup k v end.
Fixpoint add (e : entry) (l : list entry) : list entry :=
  match l with
  | [] => [e]
  | x :: k => match (value e ?= value x)%N with Lt => e :: l | Eq => l | Gt => x :: add e k end
  end.
Fixpoint drop (v : N) (l : list entry) : list entry :=
  match l with
  | [] => []
  | x :: k => match (v ?= value x)%N with Lt => l | Eq => k | Gt => x :: drop v k end
  end.
Fixpoint above (least : N) (l : list entry) : Prop :=
  match l with [] => True | x :: k => (least <= value x)%N /\ above (N.succ (value x)) k end.

Lemma above_lookup : forall l n v, above n l -> (v < n)%N -> lookup l v = None.
Proof.
  induction l as [|x l IH]; simpl; intros n v A L; [reflexivity|]. destruct A as (A & B).
  destruct (N.eqb_spec (value x) v); [lia|]. eapply IH; [exact B | lia].
Qed.
Lemma above_less : forall l n m, above n l -> (m <= n)%N -> above m l.
Proof. intros [|x l] n m A L; simpl in *; [exact I|]. split; [lia | tauto]. Qed.
Lemma lookup_add : forall e l n v, above n l -> lookup (add e l) v
  = if (value e =? v)%N then Some (match lookup l v with Some d => d | None => dirty e end) else lookup l v.
Proof.
  intros e. induction l as [|x l IH]; intros n v A; simpl.
  - destruct (value e =? v)%N; reflexivity.
  - destruct A as (A & B). destruct (N.compare_spec (value e) (value x)) as [E | L | L]; simpl.
    + rewrite E. destruct (N.eqb_spec (value x) v); reflexivity.
    + destruct (N.eqb_spec (value e) v) as [<- | _]; [|reflexivity].
      destruct (N.eqb_spec (value x) (value e)); [lia|].
      rewrite (above_lookup l (N.succ (value x)) (value e) B) by lia. reflexivity.
    + rewrite (IH _ v B). destruct (N.eqb_spec (value x) v) as [E | _]; [|reflexivity].
      destruct (N.eqb_spec (value e) v); [lia | reflexivity].
Qed.
Lemma above_add : forall e l n, above n l -> (n <= value e)%N -> above n (add e l).
Proof.
  intros e. induction l as [|x l IH]; intros n A L; simpl; [auto|]. destruct A as (A & B).
  destruct (N.compare_spec (value e) (value x)); simpl; repeat split; auto; try lia. apply IH; [exact B | lia].
Qed.
Lemma lookup_drop : forall v l n u, above n l -> lookup (drop v l) u = if (v =? u)%N then None else lookup l u.
Proof.
  intros v. induction l as [|x l IH]; intros n u A; simpl.
  - destruct (v =? u)%N; reflexivity.
  - destruct A as (A & B). destruct (N.compare_spec v (value x)) as [E | L | L]; simpl.
    + rewrite <- E. destruct (N.eqb_spec v u) as [<- | _]; [|reflexivity]. apply (above_lookup _ _ _ B). lia.
    + destruct (N.eqb_spec v u) as [<- | _]; [|reflexivity]. destruct (N.eqb_spec (value x) v); [lia|].
      apply (above_lookup _ _ _ B). lia.
    + rewrite (IH _ u B). destruct (N.eqb_spec (value x) u) as [E | _]; [|reflexivity].
      destruct (N.eqb_spec v u); [lia | reflexivity].
Qed.
Lemma above_drop : forall v l n, above n l -> above n (drop v l).
Proof.
  intros v. induction l as [|x l IH]; intros n A; simpl; [exact I|]. destruct A as (A & B).
  destruct (N.compare_spec v (value x)); simpl; repeat split; auto. eapply above_less; [exact B | lia].
Qed.
Lemma in_add : forall e l x, In x (add e l) -> x = e \/ In x l.
Proof.
  intros e. induction l as [|y l IH]; simpl; intros x I; [destruct I as [I | []]; left; auto|].
  destruct (value e ?= value y)%N; simpl in I.
  - tauto.
  - destruct I as [I | I]; [left; auto | tauto].
  - destruct I as [I | I]; [tauto|]. destruct (IH _ I); tauto.
Qed.
Lemma in_drop : forall v l n x, above n l -> In x (drop v l) -> In x l /\ value x <> v.
Proof.
  intros v. induction l as [|y l IH]; simpl; intros n x A I; [destruct I|]. destruct A as (A & B).
  assert (Up : forall k m, above m k -> forall z, In z k -> (m <= value z)%N).
  { clear. induction k as [|y k IH]; simpl; intros m A z I; [destruct I|]. destruct A as (A & B).
    destruct I as [<- | I]; [exact A|]. specialize (IH _ B z I). lia. }
  destruct (N.compare_spec v (value y)) as [E | L | L].
  - split; [tauto|]. specialize (Up _ _ B x I). lia.
  - split; [exact I|]. destruct I as [<- | I]; [lia|]. specialize (Up _ _ B x I). lia.
  - destruct I as [<- | I]; [split; [tauto | lia]|]. destruct (IH _ _ B I). tauto.
Qed.
Lemma lookup_in : forall l n e, above n l -> In e l -> lookup l (value e) = Some (dirty e).
Proof.
  induction l as [|x l IH]; simpl; intros n e A I; [destruct I|]. destruct A as (A & B). destruct I as [-> | I].
  - rewrite N.eqb_refl. reflexivity.
  - pose proof (IH _ _ B I) as Q. destruct (N.eqb_spec (value x) (value e)) as [E | _]; [|exact Q].
    rewrite (above_lookup l _ (value e) B) in Q by lia. discriminate.
Qed.
Lemma lookup_some : forall l v d, lookup l v = Some d -> exists e, In e l /\ value e = v /\ dirty e = d.
Proof.
  induction l as [|x l IH]; simpl; intros v d H; [discriminate|]. destruct (N.eqb_spec (value x) v) as [E | _].
  - injection H as <-. exists x. auto.
  - destruct (IH _ _ H) as (e & I & Q). exists e. auto.
Qed.
Lemma above_filter : forall (f : entry -> bool) l n, above n l -> above n (filter f l).
Proof.
  intros f. induction l as [|x l IH]; simpl; intros n A; [exact I|]. destruct A as (A & B).
  destruct (f x); [simpl; auto|]. apply IH. eapply above_less; [exact B | lia].
Qed.
Lemma above_NoDup : forall l n, above n l -> NoDup (List.map value l) /\ forall v, In v (List.map value l) -> (n <= v)%N.
Proof.
  induction l as [|x l IH]; simpl; intros n A; [split; [constructor | intros v []]|]. destruct A as (A & B).
  destruct (IH _ B) as (D & U). split.
  - constructor; [|exact D]. intros I. specialize (U _ I). lia.
  - intros v [<- | I]; [exact A|]. specialize (U _ I). lia.
Qed.

(* Words that a value pays when it leaves: a store, if slow memory lacks it, and the load that is to come. *)
Definition parting (w : Z) (d : bool) : Z := if d then 2 * w else w.
Definition pays (e : entry) : Z := parting (weight e) (dirty e).
(* Words for which what is there in one state turns into what is there in another one: values leave, or are
   stored; what only the other one has has been paid for. *)
Definition turning (w : Z) (m n : option bool) : Z :=
  match m, n with
  | Some d, Some d' => if d && negb d' then w else 0
  | Some d, None => parting w d
  | None, _ => 0
  end.
Fixpoint turns (m : list entry) : list entry -> Z -> bool :=
  match m with
  | [] => fun _ _ => true
  | e :: m' => fix go (n : list entry) (slack : Z) : bool :=
      match n with
      | [] => let s := slack - pays e in (0 <=? s) && turns m' [] s
      | y :: n' => match (value e ?= value y)%N with
          | Lt => let s := slack - pays e in (0 <=? s) && turns m' n s
          | Eq => if dirty e && negb (dirty y) then let s := slack - weight e in (0 <=? s) && turns m' n' s
                  else turns m' n' slack
          | Gt => go n' slack
          end
      end
  end.

Section Turning.
Variables (V : list N) (w : N -> Z).
Hypothesis distinct : NoDup V.
Hypothesis nonneg : forall v, In v V -> 0 <= w v.
Lemma turning_nonneg : forall x m n, 0 <= x -> 0 <= turning x m n.
Proof. intros x m n H. destruct m as [[|]|], n as [[|]|]; unfold turning, parting, andb, negb; lia. Qed.
Lemma turning_most : forall x d n, 0 <= x -> turning x (Some d) n <= parting x d.
Proof. intros x d n H. destruct d, n as [[|]|]; unfold turning, parting, andb, negb; lia. Qed.
Lemma sum_lookup : forall (F : N -> option bool -> Z) e m, (forall v o, In v V -> 0 <= F v o) ->
  In (value e) V -> sum (fun v => F v (lookup (e :: m) v)) V
  <= F (value e) (Some (dirty e)) + sum (fun v => F v (lookup m v)) V.
Proof.
  intros F e m P I. pose proof (sum_one (fun v => F v (Some (dirty e))) (value e) V distinct I) as O. cbv beta in O.
  rewrite <- O, <- sum_plus.
  apply sum_le. intros v J. simpl. destruct (value e =? v)%N; [pose proof (P v (lookup m v) J); lia | lia].
Qed.
Lemma turns_sound : forall n0 m n slack, turns m n slack = true -> 0 <= slack ->
  (forall e, In e m -> In (value e) V /\ weight e = w (value e)) ->
  (forall y, In y n -> lookup n0 (value y) = Some (dirty y)) ->
  sum (fun v => turning (w v) (lookup m v) (lookup n0 v)) V <= slack.
Proof.
  intros n0. induction m as [|e m IH]; intros n slack H Sl Good In_.
  - rewrite sum_zero; [lia|]. intros v _. reflexivity.
  - destruct (Good e (or_introl eq_refl)) as (Iv & We).
    assert (Q := sum_lookup (fun v o => turning (w v) o (lookup n0 v)) e m
      (fun v o J => turning_nonneg _ _ _ (nonneg v J)) Iv). cbv beta in Q.
    assert (G' : forall e, In e m -> In (value e) V /\ weight e = w (value e)) by (intros; apply Good; right; assumption).
    pose proof (nonneg _ Iv) as Ne. pose proof (turning_most (w (value e)) (dirty e) (lookup n0 (value e)) Ne) as Most.
    assert (Pe : pays e = parting (w (value e)) (dirty e)) by (unfold pays; rewrite We; reflexivity).
    induction n as [|y n IHn]; cbn [turns] in H.
    + apply andb_prop in H. destruct H as (A & B). apply Z.leb_le in A.
      specialize (IH [] _ B A G' In_). lia.
    + destruct (N.compare_spec (value e) (value y)) as [E | L | L].
      * pose proof (In_ y (or_introl eq_refl)) as Ly. rewrite <- E in Ly. rewrite Ly in Q. cbn [turning] in Q.
        assert (In' : forall z, In z n -> lookup n0 (value z) = Some (dirty z)) by (intros; apply In_; right; assumption).
        destruct (dirty e && negb (dirty y)).
        -- apply andb_prop in H. destruct H as (A & B). apply Z.leb_le in A. specialize (IH n _ B A G' In'). lia.
        -- specialize (IH n _ H Sl G' In'). lia.
      * apply andb_prop in H. destruct H as (A & B). apply Z.leb_le in A. specialize (IH (y :: n) _ B A G' In_). lia.
      * apply IHn; [exact H | intros z J; apply In_; right; exact J].
Qed.
End Turning.
