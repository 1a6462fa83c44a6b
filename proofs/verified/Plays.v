(* What legal plays have in common: where values come from, and how much room there is. *)
Require Import List NArith ZArith Bool Lia FinFun.
From RedBlue Require Import Game.
Import ListNotations.
Open Scope Z_scope.

Lemma mem_In : forall v l, mem v l = true <-> In v l.
Proof.
  intros v l. unfold mem. rewrite existsb_exists. split.
  - intros (x & I & E). apply N.eqb_eq in E. subst. exact I.
  - intros I. exists v. split; [exact I | apply N.eqb_refl].
Qed.
Lemma mem_not_In : forall v l, mem v l = false <-> ~ In v l.
Proof.
  intros v l. rewrite <- mem_In. destruct (mem v l); split; intros H; congruence.
Qed.
Lemma vertices_In : forall g v, In v (vertices g) <-> (v < size g)%N.
Proof.
  intros g v. unfold vertices. rewrite in_map_iff. split.
  - intros (k & <- & I). apply in_seq in I. lia.
  - intros L. exists (N.to_nat v). split; [lia | apply in_seq; lia].
Qed.
Lemma vertices_NoDup : forall g, NoDup (vertices g).
Proof.
  intros g. unfold vertices. apply FinFun.Injective_map_NoDup; [|apply seq_NoDup].
  intros a b E. lia.
Qed.
Lemma operand_not_input : forall g v u, In u (operands g v) -> is_input g v = false.
Proof. intros g v u I. unfold is_input. destruct (operands g v); [destruct I | reflexivity]. Qed.
Lemma read_by : forall g v, is_read g v = true <-> exists w, (w < size g)%N /\ In v (operands g w).
Proof.
  intros g v. unfold is_read. rewrite existsb_exists. split; intros (w & A & B); exists w.
  - apply vertices_In in A. apply mem_In in B. auto.
  - split; [apply vertices_In; exact A | apply mem_In; exact B].
Qed.

Lemma step_cases : forall r g M m next s t, step r g M m next s = Some t ->
  match m with
  | Load v => (v < size g)%N /\ In v (blue s) /\ ~ In v (red s) /\ used g s + words g v <= M
      /\ red t = v :: red s /\ blue t = blue s /\ done t = done s
  | Store v => (v < size g)%N /\ In v (red s) /\ ~ In v (blue s)
      /\ red t = red s /\ blue t = v :: blue s /\ done t = done s
  | Compute v => (v < size g)%N /\ is_input g v = false /\ ~ In v (red s)
      /\ (recompute r = false -> ~ In v (done s)) /\ (forall u, In u (operands g v) -> In u (red s))
      /\ used g s + words g v - slid r g M s v next <= M
      /\ red t = v :: red s /\ blue t = blue s /\ done t = v :: done s
  | Delete v => (v < size g)%N /\ In v (red s)
      /\ red t = filter (fun u => negb (u =? v)%N) (red s) /\ blue t = blue s /\ done t = done s
  end.
Proof.
  intros r g M m next s t H. destruct m; simpl in H;
    match type of H with (if ?c then _ else _) = _ => destruct c eqn:C; [|discriminate] end;
    injection H as <-; repeat (apply andb_prop in C; destruct C as (C & ?));
    repeat match goal with
    | E : (_ <? _)%N = true |- _ => apply N.ltb_lt in E
    | E : (_ <=? _) = true |- _ => apply Z.leb_le in E
    | E : negb _ = true |- _ => apply negb_true_iff in E
    | E : mem _ _ = true |- _ => apply mem_In in E
    | E : mem _ _ = false |- _ => apply mem_not_In in E
    end; simpl; repeat split; auto.
  - intros R. match goal with E : _ || _ = true |- _ => rewrite R in E; simpl in E;
      apply negb_true_iff, mem_not_In in E; exact E end.
  - intros u I. match goal with E : forallb _ _ = true |- _ => rewrite forallb_forall in E;
      apply mem_In, E; exact I end.
Qed.

Lemma in_without : forall v u l, In u (filter (fun x => negb (x =? v)%N) l) <-> In u l /\ u <> v.
Proof. intros. rewrite filter_In, negb_true_iff, N.eqb_neq. tauto. Qed.

Section Walks.
Variables (r : rules) (g : dag) (M : Z).

(* A play whose moves are legal, each with some next move: parts of plays are such, too. *)
Inductive walks : state -> list move -> state -> Prop :=
| Rests : forall s, walks s [] s
| Moves : forall m next s p t u, step r g M m next s = Some t -> walks t p u -> walks s (m :: p) u.

Lemma run_walks : forall p s t, run r g M p s = Some t -> walks s p t.
Proof.
  induction p as [|m p IH]; simpl; intros s t H.
  - injection H as <-. constructor.
  - destruct (step r g M m (hd_error p) s) eqn:E; [|discriminate]. econstructor; eauto.
Qed.
Lemma walks_app : forall p q s t, walks s (p ++ q) t <-> exists m, walks s p m /\ walks m q t.
Proof.
  induction p as [|m p IH]; simpl; intros q s t; split; intros H.
  - exists s. split; [constructor | exact H].
  - destruct H as (m & A & B). inversion A; subst. exact B.
  - inversion H; subst. match goal with W : walks _ (p ++ q) _ |- _ => apply IH in W end.
    destruct H5 as (x & A & B). exists x. split; [econstructor; eauto | exact B].
  - destruct H as (x & A & B). inversion A; subst. econstructor; eauto. apply IH. eauto.
Qed.
Lemma walks_at : forall p m q s t, walks s (p ++ m :: q) t ->
  exists a b next, walks s p a /\ step r g M m next a = Some b /\ walks b q t.
Proof.
  intros p m q s t H. apply walks_app in H. destruct H as (a & A & B). inversion B; subst. eauto 6.
Qed.

Ltac cases := match goal with E : step _ _ _ _ _ _ = Some _ |- _ => apply step_cases in E end.

(* Where values come from. *)
Lemma red_came : forall s p t, walks s p t -> forall v, In v (red t) ->
  In v (red s) \/ In (Load v) p \/ In (Compute v) p.
Proof.
  induction 1 as [s | m next s p t u E W IH]; intros v I; [tauto|].
  destruct (IH v I) as [R | [L | C]]; [|simpl; tauto|simpl; tauto].
  apply step_cases in E. destruct m; decompose [and] E; clear E;
    match goal with Q : red t = _ |- _ => rewrite Q in R end.
  - destruct R as [<- | R]; simpl; tauto.
  - tauto.
  - destruct R as [<- | R]; simpl; tauto.
  - apply in_without in R. tauto.
Qed.
Lemma blue_came : forall s p t, walks s p t -> forall v, In v (blue t) ->
  In v (blue s) \/ In (Store v) p.
Proof.
  induction 1 as [s | m next s p t u E W IH]; intros v I; [tauto|].
  destruct (IH v I) as [B | S]; [|simpl; tauto].
  apply step_cases in E. destruct m; decompose [and] E; clear E;
    match goal with Q : blue t = _ |- _ => rewrite Q in B end; try tauto.
  destruct B as [<- | B]; simpl; tauto.
Qed.
Lemma blue_stays : forall s p t, walks s p t -> forall v, In v (blue s) -> In v (blue t).
Proof.
  induction 1 as [s | m next s p t u E W IH]; intros v I; [exact I|]. apply IH.
  apply step_cases in E. destruct m; decompose [and] E; clear E;
    match goal with Q : blue t = _ |- _ => rewrite Q end; simpl; tauto.
Qed.
Lemma done_is : forall s p t, walks s p t -> forall v,
  In v (done t) <-> In v (done s) \/ In (Compute v) p.
Proof.
  induction 1 as [s | m next s p t u E W IH]; intros v; [simpl; tauto|]. rewrite IH.
  apply step_cases in E. destruct m; decompose [and] E; clear E;
    match goal with Q : done t = _ |- _ => rewrite Q end; simpl; split; intros HH;
    repeat (destruct HH as [HH | HH]); try tauto; try discriminate; subst; auto;
    injection HH as <-; auto.
Qed.
Lemma moved_below : forall s p t, walks s p t -> forall m, In m p ->
  match m with Load v | Store v | Compute v | Delete v => (v < size g)%N end.
Proof.
  intros s p t W m I. apply in_split in I. destruct I as (a & b & ->).
  destruct (walks_at _ _ _ _ _ W) as (x & y & next & _ & E & _). apply step_cases in E.
  destruct m; tauto.
Qed.

(* At a computation its operands are in fast memory. *)
Lemma computed_at : forall s p t v, walks s p t -> In (Compute v) p ->
  exists a b x, p = a ++ Compute v :: b /\ walks s a x /\ is_input g v = false
    /\ (forall u, In u (operands g v) -> In u (red x)).
Proof.
  intros s p t v W I. apply in_split in I. destruct I as (a & b & ->).
  destruct (walks_at _ _ _ _ _ W) as (x & y & next & A & E & _). apply step_cases in E.
  exists a, b, x. tauto.
Qed.
Lemma computed_no_input : forall s p t v, walks s p t -> In (Compute v) p -> is_input g v = false.
Proof. intros s p t v W I. destruct (computed_at _ _ _ _ W I) as (a & b & x & _ & _ & E & _). exact E. Qed.
Lemma computed_once : forall a v b s t, recompute r = false -> walks s (a ++ Compute v :: b) t ->
  ~ In v (done s) /\ ~ In (Compute v) a /\ ~ In (Compute v) b.
Proof.
  intros a v b s t R W. destruct (walks_at _ _ _ _ _ W) as (x & y & next & A & E & B).
  apply step_cases in E. destruct E as (_ & _ & _ & F & _ & _ & _ & _ & D). specialize (F R).
  rewrite (done_is _ _ _ A) in F. split; [tauto | split; [tauto|]]. intros I.
  apply in_split in I. destruct I as (c & d & ->).
  destruct (walks_at _ _ _ _ _ B) as (x' & y' & next' & A' & E' & B'). apply step_cases in E'.
  destruct E' as (_ & _ & _ & F' & _). apply (F' R). rewrite (done_is _ _ _ A'), D. simpl. auto.
Qed.

(* What is loaded was stored before, or is an input. *)
Lemma start_blue : forall v, In v (blue (start g)) <-> (v < size g)%N /\ is_input g v = true.
Proof. intros v. simpl. rewrite filter_In, vertices_In. tauto. Qed.
Lemma stored_before : forall p v q t, walks (start g) (p ++ Load v :: q) t ->
  is_input g v = true \/ In (Store v) p.
Proof.
  intros p v q t W. destruct (walks_at _ _ _ _ _ W) as (x & y & next & A & E & _).
  apply step_cases in E. destruct E as (_ & B & _).
  destruct (blue_came _ _ _ A v B) as [S | S]; [apply start_blue in S; tauto | tauto].
Qed.
Lemma store_red : forall p v q s t, walks s (p ++ Store v :: q) t ->
  exists x, walks s p x /\ In v (red x).
Proof.
  intros p v q s t W. destruct (walks_at _ _ _ _ _ W) as (x & y & next & A & E & _).
  apply step_cases in E. exists x. tauto.
Qed.
(* Whatever is anywhere, or moves, is an input or has been computed. *)
Lemma origin : forall p t v, walks (start g) p t -> is_input g v = false ->
  In v (red t) \/ In v (blue t) \/ In (Load v) p \/ In (Store v) p -> In (Compute v) p.
Proof.
  intros p. induction p as [|m p IH] using rev_ind; intros t v W Z H.
  - inversion W; subst. destruct H as [H | [H | [H | H]]]; simpl in H; try tauto.
    apply filter_In in H. destruct H as (_ & H). congruence.
  - apply walks_app in W. destruct W as (x & A & B). inversion B; subst.
    match goal with E : step _ _ _ _ _ _ = _ |- _ => apply step_cases in E; rename E into E' end.
    match goal with W : walks _ [] _ |- _ => inversion W; subst; clear W end.
    assert (Old : In v (red x) \/ In v (blue x) \/ In (Load v) p \/ In (Store v) p ->
      In (Compute v) (p ++ [m])) by (intros O; apply in_or_app; left; eapply IH; eauto).
    rewrite !in_app_iff in H. simpl in H.
    destruct m; decompose [and] E'; clear E';
      match goal with Q : red t = _, Q' : blue t = _ |- _ => rewrite Q, Q' in H end; simpl in H;
      try rewrite in_without in H; decompose [or and] H; subst; try tauto; try discriminate;
      try match goal with E : Load _ = Load _ |- _ => injection E as ->; tauto end;
      try match goal with E : Store _ = Store _ |- _ => injection E as ->; tauto end.
    apply in_or_app; right; left; reflexivity.
Qed.
Lemma input_loaded : forall p t v, walks (start g) p t -> is_input g v = true -> In v (red t) ->
  In (Load v) p.
Proof.
  intros p t v W Z R. destruct (red_came _ _ _ W v R) as [H | [H | H]]; [destruct H | exact H |].
  pose proof (computed_no_input _ _ _ _ W H). congruence.
Qed.

(* What is not in fast memory, and is neither loaded nor computed, stays away and is not read. *)
Lemma stays_away : forall s p t v, walks s p t -> ~ In v (red s) -> ~ In (Load v) p ->
  ~ In (Compute v) p -> ~ In v (red t) /\ forall w, In v (operands g w) -> ~ In (Compute w) p.
Proof.
  intros s p t v W A L C. split.
  - intros R. destruct (red_came _ _ _ W v R) as [H | [H | H]]; tauto.
  - intros w I J. destruct (computed_at _ _ _ _ W J) as (a & b & x & -> & W' & _ & O).
    destruct (red_came _ _ _ W' v (O v I)) as [H | [H | H]]; [tauto | |];
      [apply L | apply C]; apply in_or_app; tauto.
Qed.

(* Fast memory as a set of vertices. *)
Definition tidy (s : state) : Prop := NoDup (red s) /\ forall v, In v (red s) -> (v < size g)%N.
Lemma start_tidy : tidy (start g).
Proof. split; [constructor | intros v []]. Qed.
Lemma step_tidy : forall m next s t, step r g M m next s = Some t -> tidy s -> tidy t.
Proof.
  intros m next s t E (D & B). apply step_cases in E. destruct m; decompose [and] E; clear E;
    match goal with Q : red t = _ |- _ => unfold tidy; rewrite Q end.
  - split; [constructor; tauto | intros u [<- | I]; auto].
  - split; auto.
  - split; [constructor; tauto | intros u [<- | I]; auto].
  - split; [apply NoDup_filter; exact D | intros u I; apply in_without in I; apply B; tauto].
Qed.
Lemma walks_tidy : forall s p t, walks s p t -> tidy s -> tidy t.
Proof. induction 1; intros; auto. eapply IHwalks, step_tidy; eauto. Qed.
End Walks.

(* Sums. *)
Lemma sum_app : forall A (f : A -> Z) a b, sum f (a ++ b) = sum f a + sum f b.
Proof. intros A f a b. induction a; simpl; lia. Qed.
Lemma sum_le : forall A (f h : A -> Z) l, (forall x, In x l -> f x <= h x) -> sum f l <= sum h l.
Proof.
  intros A f h l. induction l as [|x l IH]; simpl; intros H; [lia|].
  pose proof (H x (or_introl eq_refl)). assert (sum f l <= sum h l) by (apply IH; auto). lia.
Qed.
Lemma sum_ext : forall A (f h : A -> Z) l, (forall x, In x l -> f x = h x) -> sum f l = sum h l.
Proof.
  intros A f h l. induction l as [|x l IH]; simpl; intros H; [reflexivity|].
  rewrite (H x (or_introl eq_refl)), IH; auto.
Qed.
Lemma sum_nonneg : forall A (f : A -> Z) l, (forall x, In x l -> 0 <= f x) -> 0 <= sum f l.
Proof.
  intros A f l H. assert (Z : sum (fun _ : A => 0) l = 0) by (clear; induction l; simpl; lia).
  rewrite <- Z. apply sum_le. exact H.
Qed.
Lemma sum_plus : forall A (f h : A -> Z) l, sum (fun x => f x + h x) l = sum f l + sum h l.
Proof. intros A f h l. induction l; simpl; lia. Qed.
Lemma sum_times : forall A c (f : A -> Z) l, sum (fun x => c * f x) l = c * sum f l.
Proof. intros A c f l. induction l; simpl; lia. Qed.
Lemma sum_zero : forall A (f : A -> Z) l, (forall x, In x l -> f x = 0) -> sum f l = 0.
Proof. intros A f l. induction l as [|x l IH]; simpl; intros H; [lia|]. rewrite (H x), IH; auto. Qed.
Lemma sum_swap : forall A B (f : A -> B -> Z) a b,
  sum (fun x => sum (f x) b) a = sum (fun y => sum (fun x => f x y) a) b.
Proof.
  intros A B f a b. induction a as [|x a IH]; simpl.
  - symmetry. apply sum_zero. reflexivity.
  - rewrite sum_plus, IH. reflexivity.
Qed.
Lemma sum_map : forall A B (h : A -> B) (f : B -> Z) l, sum f (map h l) = sum (fun x => f (h x)) l.
Proof. intros A B h f l. induction l; simpl; congruence. Qed.
Lemma sum_flat_map : forall A B (h : A -> list B) (f : B -> Z) l,
  sum f (flat_map h l) = sum (fun x => sum f (h x)) l.
Proof. intros A B h f l. induction l; simpl; [reflexivity|]. rewrite sum_app, IHl. reflexivity. Qed.
Lemma sum_filter : forall A (p : A -> bool) (f : A -> Z) l,
  sum f (filter p l) = sum (fun x => if p x then f x else 0) l.
Proof. intros A p f l. induction l as [|x l IH]; simpl; [reflexivity|]. destruct (p x); simpl; lia. Qed.
Lemma sum_incl : forall A (f : A -> Z) a b, (forall x, In x b -> 0 <= f x) -> NoDup a -> incl a b ->
  sum f a <= sum f b.
Proof.
  intros A f a. induction a as [|x a IH]; intros b P D I.
  - simpl. apply sum_nonneg. exact P.
  - inversion D; subst. assert (J : In x b) by (apply I; left; reflexivity).
    apply in_split in J. destruct J as (b1 & b2 & ->).
    assert (sum f a <= sum f (b1 ++ b2)).
    { apply IH; auto.
      - intros y J. apply P. rewrite in_app_iff in *. simpl. tauto.
      - intros y J. assert (K : In y (b1 ++ x :: b2)) by (apply I; right; exact J).
        rewrite in_app_iff in *. simpl in K. destruct K as [K | [<- | K]]; tauto. }
    rewrite sum_app in *. simpl. lia.
Qed.
Lemma sum_one : forall (f : N -> Z) x l, NoDup l -> In x l ->
  sum (fun y => if (x =? y)%N then f y else 0) l = f x.
Proof.
  intros f x l D. induction D as [|y l N D IH]; simpl; intros I; [destruct I|].
  destruct (N.eqb_spec x y) as [-> | E].
  - assert (Z : sum (fun z => if (y =? z)%N then f z else 0) l = 0).
    { apply sum_zero. intros z J. destruct (N.eqb_spec y z); [subst; tauto | reflexivity]. }
    lia.
  - destruct I as [-> | I]; [congruence|]. rewrite IH; auto.
Qed.
Lemma sum_without : forall (f : N -> Z) v l, NoDup l -> In v l ->
  sum f (filter (fun u => negb (u =? v)%N) l) = sum f l - f v.
Proof.
  intros f v l D I. pose proof (sum_one f v l D I) as O. rewrite sum_filter.
  assert (E : sum f l = sum (fun y => if (v =? y)%N then f y else 0) l
                        + sum (fun x => if negb (x =? v)%N then f x else 0) l).
  { rewrite <- sum_plus. apply sum_ext. intros x _. rewrite (N.eqb_sym x v).
    destruct (v =? x)%N; simpl; lia. }
  lia.
Qed.

(* Room: before any move but a deletion fast memory holds M words at most. *)
Section Room.
Variables (r : rules) (g : dag) (M : Z).
Hypothesis positive_words : forall v, (v < size g)%N -> 0 <= words g v.

Definition roomy (s : state) (p : list move) : Prop :=
  used g s <= M \/ exists u q, p = Delete u :: q /\ In u (red s) /\ used g s - words g u <= M.

Lemma step_roomy : forall m s t p, step r g M m (hd_error p) s = Some t -> tidy g s ->
  roomy s (m :: p) -> roomy t p.
Proof.
  intros m s t p E (D & B) R. apply step_cases in E. unfold used in *.
  destruct m as [v | v | v | v].
  - destruct E as (L & _ & _ & F & Q & _). left. unfold used. rewrite Q. simpl. lia.
  - destruct E as (L & _ & _ & Q & _). destruct R as [R | (u & q & X & _)]; [|discriminate].
    left. unfold used. rewrite Q. exact R.
  - destruct E as (L & _ & A & _ & O & F & Q & _). unfold roomy, used. rewrite Q. simpl. unfold slid in F.
    destruct (sliding r && negb (used g s + words g v <=? M)); [|left; lia].
    destruct (hd_error p) as [[] |] eqn:H; try (left; lia).
    destruct (mem v0 (operands g v)) eqn:I; [|left; lia]. right. destruct p as [|m q]; [discriminate|].
    injection H as ->. exists v0, q. apply mem_In in I. split; [reflexivity|].
    split; [right; apply O; exact I | lia].
  - destruct E as (L & I & Q & _). left. unfold used. rewrite Q, sum_without by auto.
    destruct R as [R | (u & q & X & _ & R)]; [specialize (positive_words v L); unfold used in R; lia|].
    injection X as ->. exact R.
Qed.
Lemma run_at : forall a m b s t, run r g M (a ++ m :: b) s = Some t -> tidy g s -> roomy s (a ++ m :: b) ->
  exists x y, walks r g M s a x /\ tidy g x /\ roomy x (m :: b)
    /\ step r g M m (hd_error b) x = Some y /\ run r g M b y = Some t.
Proof.
  induction a as [|m' a IH]; intros m b s t H T R.
  - simpl in H. destruct (step r g M m (hd_error b) s) as [y |] eqn:E; [|discriminate].
    exists s, y. repeat split; auto; try apply T. constructor.
  - simpl in H. destruct (step r g M m' (hd_error (a ++ m :: b)) s) as [y |] eqn:E; [|discriminate].
    destruct (IH m b y t H) as (x & z & W & T' & R' & E' & H').
    + eapply step_tidy; eauto.
    + eapply step_roomy; eauto.
    + exists x, z. repeat split; auto; try apply T'. econstructor; eauto.
Qed.
Lemma start_roomy : forall p, 0 <= M -> roomy (start g) p.
Proof. intros p H. left. exact H. Qed.

(* What a computation leaves to the other values in fast memory. *)
Definition largest_operand (v : N) : Z := fold_left (fun most u => Z.max most (words g u)) (operands g v) 0.
Definition taken (v : N) : Z :=
  if sliding r then Z.max 0 (words g v - largest_operand v) else words g v.
Lemma largest_least : forall v u, In u (operands g v) -> words g u <= largest_operand v.
Proof.
  intros v u I. unfold largest_operand.
  assert (G : forall l a, a <= fold_left (fun most x => Z.max most (words g x)) l a).
  { induction l as [|x l IH]; simpl; intros a; [lia|]. specialize (IH (Z.max a (words g x))). lia. }
  assert (H : forall l a, In u l -> words g u <= fold_left (fun most x => Z.max most (words g x)) l a).
  { induction l as [|x l IH]; simpl; intros a J; [destruct J|]. destruct J as [-> | J]; [|auto].
    specialize (G l (Z.max a (words g u))). lia. }
  apply H, I.
Qed.
Lemma largest_nonneg : forall v, 0 <= largest_operand v.
Proof.
  intros v. unfold largest_operand.
  assert (G : forall l a, 0 <= a -> 0 <= fold_left (fun most x => Z.max most (words g x)) l a).
  { induction l as [|x l IH]; simpl; intros; auto. apply IH. lia. }
  apply G. lia.
Qed.
Lemma room_at : forall a v b t, 0 <= M -> run r g M (a ++ Compute v :: b) (start g) = Some t ->
  exists x, walks r g M (start g) a x /\ tidy g x /\ used g x <= M - taken v
    /\ (forall u, In u (operands g v) -> In u (red x)) /\ (v < size g)%N /\ is_input g v = false
    /\ exists y, walks r g M y b t /\ red y = v :: red x /\ done y = v :: done x
       /\ step r g M (Compute v) (hd_error b) x = Some y.
Proof.
  intros a v b t HM H. destruct (run_at _ _ _ _ _ H (start_tidy g) (start_roomy _ HM))
    as (x & y & W & T & R & E & H').
  exists x. destruct R as [R | (u & q & X & _)]; [|discriminate]. pose proof E as E'. apply step_cases in E.
  destruct E as (L & Z & A & _ & O & F & Q & _ & Q'). repeat split; auto; try apply T.
  - unfold taken. unfold slid in F. destruct (sliding r); simpl in F; [|lia].
    destruct (Z.leb_spec (used g x + words g v) M) as [C | C]; simpl in F.
    + pose proof (largest_nonneg v). lia.
    + destruct (hd_error b) as [[] |]; try lia.
      destruct (mem v0 (operands g v)) eqn:I; [|lia]. apply mem_In in I.
      pose proof (largest_least _ _ I). lia.
  - exists y. repeat split; auto. eapply run_walks; eauto.
Qed.
End Room.
