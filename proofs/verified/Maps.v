(* Maps from numbers, in logarithmic time, and sums and lists without a stack: what the checker that
   is extracted is made of. *)
Require Import List NArith ZArith Bool Lia FMapPositive.
From RedBlue Require Import Game Plays.
Import ListNotations.
Open Scope Z_scope.

Definition map := PositiveMap.t.
Definition empty (A : Type) : map A := PositiveMap.empty A.
Definition find {A : Type} (m : map A) (v : N) : option A := PositiveMap.find (N.succ_pos v) m.
Definition put {A : Type} (m : map A) (v : N) (a : A) : map A := PositiveMap.add (N.succ_pos v) a m.
Lemma succ_pos_inj : forall u v, N.succ_pos u = N.succ_pos v -> u = v.
Proof. intros u v E. apply N.succ_inj. rewrite <- !N.succ_pos_spec. congruence. Qed.
Lemma find_empty : forall A v, find (empty A) v = None.
Proof. intros. apply PositiveMap.gempty. Qed.
Lemma find_put : forall A (m : map A) u v a, find (put m u a) v = if (u =? v)%N then Some a else find m v.
Proof.
  intros. unfold find, put. destruct (N.eqb_spec u v) as [-> | E].
  - apply PositiveMap.gss.
  - apply PositiveMap.gso. intros H. apply E. symmetry. apply succ_pos_inj, H.
Qed.

(* Amounts, 0 where there is none. *)
Definition get (m : map Z) (v : N) : Z := match find m v with Some a => a | None => 0 end.
Definition bump (m : map Z) (v : N) (a : Z) : map Z := put m v (get m v + a).
Lemma get_bump : forall m u v a, get (bump m u a) v = get m v + if (u =? v)%N then a else 0.
Proof.
  intros. unfold get at 1, bump. rewrite find_put. destruct (N.eqb_spec u v) as [-> | E]; [reflexivity|].
  fold (get m v). lia.
Qed.
Definition totals {A : Type} (key : A -> N) (amount : A -> Z) (l : list A) (m : map Z) : map Z :=
  fold_left (fun m x => bump m (key x) (amount x)) l m.
Lemma get_totals : forall A key amount (l : list A) m v,
  get (totals key amount l m) v = get m v + sum (fun x => if (key x =? v)%N then amount x else 0) l.
Proof.
  intros A key amount. unfold totals. induction l as [|x l IH]; simpl; intros m v; [lia|].
  rewrite IH, get_bump. lia.
Qed.
Lemma get_empty : forall v, get (empty Z) v = 0.
Proof. intros. unfold get. rewrite find_empty. reflexivity. Qed.

(* A table of a function on a list, without the zeros. *)
Definition nonzeros (f : N -> Z) (l : list N) : map Z :=
  fold_left (fun m v => let a := f v in if a =? 0 then m else put m v a) l (empty Z).
Lemma get_nonzeros : forall f l v, In v l -> get (nonzeros f l) v = f v.
Proof.
  intros f l v. unfold nonzeros.
  assert (G : forall k m, (get m v = 0 \/ get m v = f v) -> (In v k \/ get m v = f v) ->
    get (fold_left (fun m v => let a := f v in if a =? 0 then m else put m v a) k m) v = f v).
  { induction k as [|u k IH]; simpl; intros m Z0 I; [destruct I as [[] | I]; exact I|].
    assert (P : get (put m u (f u)) v = if (u =? v)%N then f u else get m v).
    { unfold get. rewrite find_put. destruct (u =? v)%N; reflexivity. }
    destruct (Z.eqb_spec (f u) 0) as [F | F]; apply IH.
    - exact Z0.
    - destruct I as [[-> | I] | I]; [right; lia | left; exact I | right; exact I].
    - rewrite P. destruct (N.eqb_spec u v) as [-> | E]; [right; reflexivity | exact Z0].
    - rewrite P. destruct (N.eqb_spec u v) as [-> | E]; [right; reflexivity|].
      destruct I as [[-> | I] | I]; [destruct (E eq_refl) | left; exact I | right; exact I]. }
  intros I. apply G; [left; apply get_empty | left; exact I].
Qed.

(* Sets. *)
Definition has (m : map unit) (v : N) : bool := match find m v with Some _ => true | None => false end.
Definition insert (m : map unit) (v : N) : map unit := put m v tt.
Definition insert_all (l : list N) (m : map unit) : map unit := fold_left insert l m.
Lemma has_insert : forall m u v, has (insert m u) v = ((u =? v)%N || has m v).
Proof. intros. unfold has, insert. rewrite find_put. destruct (u =? v)%N; reflexivity. Qed.
Lemma has_insert_all : forall l m v, has (insert_all l m) v = true <-> In v l \/ has m v = true.
Proof.
  induction l as [|u l IH]; simpl; intros m v; [tauto|].
  rewrite IH, has_insert, orb_true_iff, N.eqb_eq. tauto.
Qed.
Lemma has_empty : forall v, has (empty unit) v = false.
Proof. intros. unfold has. rewrite find_empty. reflexivity. Qed.
Definition set_of (l : list N) : map unit := insert_all l (empty unit).
Lemma has_set_of : forall l v, has (set_of l) v = true <-> In v l.
Proof. intros. unfold set_of. rewrite has_insert_all, has_empty. intuition discriminate. Qed.

(* Sums and lists without a stack. *)
Definition total {A : Type} (f : A -> Z) (l : list A) : Z := fold_left (fun a x => a + f x) l 0.
Lemma total_sum : forall A (f : A -> Z) l, total f l = sum f l.
Proof.
  intros A f l. unfold total.
  assert (G : forall l a, fold_left (fun a x => a + f x) l a = a + sum f l).
  { induction l0 as [|x k IH]; simpl; intros a; [lia|]. rewrite IH. lia. }
  rewrite G. lia.
Qed.
Definition every {A : Type} (f : A -> bool) (l : list A) : bool := forallb f l.
Definition choose {A B : Type} (f : A -> option B) (l : list A) : list B :=
  rev_append (fold_left (fun acc x => match f x with Some y => y :: acc | None => acc end) l []) [].
Lemma choose_In : forall A B (f : A -> option B) l y, In y (choose f l) <-> exists x, In x l /\ f x = Some y.
Proof.
  intros A B f l y. unfold choose. rewrite rev_append_rev, app_nil_r, <- in_rev.
  assert (G : forall l acc, In y (fold_left (fun acc x => match f x with Some z => z :: acc | None => acc end) l acc)
      <-> In y acc \/ exists x, In x l /\ f x = Some y).
  { induction l0 as [|x k IH]; simpl; intros acc.
    - split; [auto | intros [H | (x & [] & _)]; exact H].
    - rewrite IH. split.
      + intros [H | (z & I & E)]; [|right; eauto].
        destruct (f x) eqn:E; [|tauto]. destruct H as [<- | H]; [right; eauto | tauto].
      + intros [H | (z & [-> | I] & E)].
        * left. destruct (f x); [right|]; exact H.
        * left. rewrite E. left; reflexivity.
        * right. eauto. }
  rewrite G. simpl. intuition.
Qed.
Definition spread {A B : Type} (f : A -> list B) (l : list A) : list B :=
  fold_left (fun acc x => rev_append (f x) acc) l [].
Lemma spread_In : forall A B (f : A -> list B) l y, In y (spread f l) <-> exists x, In x l /\ In y (f x).
Proof.
  intros A B f l y. unfold spread.
  assert (G : forall l acc, In y (fold_left (fun acc x => rev_append (f x) acc) l acc)
      <-> In y acc \/ exists x, In x l /\ In y (f x)).
  { induction l0 as [|x k IH]; simpl; intros acc.
    - split; [auto | intros [H | (x & [] & _)]; exact H].
    - rewrite IH, rev_append_rev, in_app_iff, <- in_rev. split.
      + intros [[H | H] | (z & I & E)]; [right; eauto | tauto | right; eauto].
      + intros [H | (z & [-> | I] & E)]; [tauto | tauto | right; eauto]. }
  rewrite G. simpl. intuition.
Qed.

(* The numbers from 0 up to n, n excluded. *)
Definition below (n : N) : list N := snd (N.iter n (fun kl => let k := N.pred (fst kl) in (k, k :: snd kl)) (n, [])).
Lemma below_spec : forall n, NoDup (below n) /\ forall v, In v (below n) <-> (v < n)%N.
Proof.
  intros n. unfold below. set (f := fun kl : N * list N => let k := N.pred (fst kl) in (k, k :: snd kl)).
  assert (G : forall j, (j <= n)%N -> let s := N.iter j f (n, []) in
      fst s = (n - j)%N /\ NoDup (snd s) /\ forall v, In v (snd s) <-> (n - j <= v < n)%N).
  { induction j as [|j IH] using N.peano_ind; intros L.
    - simpl. split; [lia|]. split; [constructor|]. intros v. split; [intros [] | lia].
    - rewrite N.iter_succ. destruct (IH ltac:(lia)) as (A & B & C). simpl. rewrite A.
      split; [lia|]. split.
      + constructor; [rewrite C; lia | exact B].
      + intros v. rewrite C. split; [intros [H | H]; lia | intros H].
        destruct (N.eq_dec v (n - N.succ j)); [left; lia | right; lia]. }
  destruct (G n ltac:(lia)) as (_ & B & C). split; [exact B|]. intros v. rewrite C. lia.
Qed.
