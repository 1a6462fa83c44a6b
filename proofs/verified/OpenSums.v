(* Windows of updates of products by the sums that are open where they are cut (N16): of chains that
   have begun and not ended. Values have one word and are computed once. *)
From RedBlue Require Import Game Plays Compulsory Maps Windows Products.
Require Import List NArith ZArith Bool Lia.
Import ListNotations.
Open Scope Z_scope.

(* The mean of points is on or above a chord of two of them, over the mean of their places. *)
Section Chords.
Variable T : Type.
Lemma sum_combined : forall (f d : T -> Z) a b l, sum (fun c => a * f c - b * d c) l = a * sum f l - b * sum d l.
Proof. intros f d a b. induction l as [|x l IH]; simpl; [lia|]. rewrite IH. ring. Qed.
Lemma sum_positive : forall (f : T -> Z) l, (forall c, In c l -> 0 <= f c) -> (exists c, In c l /\ 0 < f c) -> 0 < sum f l.
Proof.
  intros f. induction l as [|x l IH]; intros P (c & I & L); [destruct I|]. simpl.
  pose proof (P x (or_introl eq_refl)). pose proof (sum_nonneg _ f l (fun y J => P y (or_intror J))).
  destruct I as [<- | I]; [lia|]. pose proof (IH (fun y J => P y (or_intror J)) (ex_intro _ c (conj I L))). lia.
Qed.
Lemma least_slope : forall (f d : T -> Z) l, l <> [] -> (forall c, In c l -> 0 < d c) ->
  exists b, In b l /\ forall c, In c l -> f b * d c <= f c * d b.
Proof.
  intros f d. induction l as [|x l IH]; intros N P; [destruct (N eq_refl)|].
  destruct l as [|y l].
  - exists x. split; [left; reflexivity|]. intros c [<- | []]. lia.
  - destruct (IH ltac:(discriminate) (fun c I => P c (or_intror I))) as (b & I & B).
    pose proof (P x (or_introl eq_refl)) as Dx. pose proof (P b (or_intror I)) as Db.
    destruct (Z.le_gt_cases (f b * d x) (f x * d b)) as [L | L].
    + exists b. split; [right; exact I|]. intros c [<- | J]; [exact L | apply B, J].
    + exists x. split; [left; reflexivity|]. intros c [<- | J]; [lia|].
      pose proof (B c J) as H. pose proof (P c (or_intror J)) as Dc.
      assert (K : (f x * d c) * d b <= (f c * d x) * d b).
      { assert (f x * d b * d c <= f b * d x * d c) by (apply Z.mul_le_mono_nonneg_r; lia).
        assert (f b * d c * d x <= f c * d b * d x) by (apply Z.mul_le_mono_nonneg_r; lia). lia. }
      apply Z.mul_le_mono_pos_r in K; [exact K | exact Db].
Qed.
Lemma above_line : forall (f d : T -> Z) l, l <> [] -> sum d l = 0 ->
  (forall a b, In a l -> In b l -> d a <= 0 -> 0 < d b -> f b * d a < f a * d b) ->
  (forall a, In a l -> d a = 0 -> 0 < f a) -> 0 < sum f l.
Proof.
  intros f d l N D P Q. set (h := filter (fun c => 0 <? d c) l).
  assert (Split : h = [] \/ h <> []) by (destruct h; [left; reflexivity | right; discriminate]).
  destruct Split as [E | E].
  - assert (Low : forall c, In c l -> d c <= 0).
    { intros c I. destruct (Z.le_gt_cases (d c) 0) as [L | L]; [exact L|].
      assert (J : In c h) by (apply filter_In; split; [exact I | apply Z.ltb_lt, L]). rewrite E in J. destruct J. }
    assert (Zero : forall c, In c l -> d c = 0).
    { intros c I. destruct (Z.eq_dec (d c) 0) as [Z0 | Z0]; [exact Z0|].
      assert (H : 0 < sum (fun x => - d x) l).
      { apply sum_positive; [intros x J; specialize (Low x J); lia|]. exists c. split; [exact I|]. specialize (Low c I). lia. }
      rewrite (sum_ext _ (fun x => - d x) (fun x => -1 * d x)) in H by (intros; lia). rewrite sum_times in H. lia. }
    apply sum_positive; [intros c I; specialize (Q c I (Zero c I)); lia|].
    destruct l as [|x l]; [destruct (N eq_refl)|]. exists x. split; [left; reflexivity|]. apply Q; [|apply Zero]; left; reflexivity.
  - destruct (least_slope f d h E) as (b & I & B); [intros c I; apply filter_In in I; apply Z.ltb_lt, I|].
    apply filter_In in I. destruct I as (I & Db). apply Z.ltb_lt in Db.
    assert (H : 0 < sum (fun c => d b * f c - f b * d c) l).
    { assert (Down : exists a, In a l /\ d a < 0).
      { destruct (existsb (fun c => d c <? 0) l) eqn:X.
        - apply existsb_exists in X. destruct X as (a & J & L). apply Z.ltb_lt in L. exists a. auto.
        - exfalso. assert (H : 0 < sum d l); [|lia]. apply sum_positive; [|exists b; auto]. intros c J.
          rewrite <- not_true_iff_false in X. destruct (Z.le_gt_cases 0 (d c)) as [L | L]; [exact L|].
          destruct X. apply existsb_exists. exists c. split; [exact J | apply Z.ltb_lt, L]. }
      destruct Down as (a & J & Da). apply sum_positive.
      - intros c K. destruct (Z.le_gt_cases (d c) 0) as [L | L].
        + pose proof (P c b K I L Db). lia.
        + assert (G : In c h) by (apply filter_In; split; [exact K | apply Z.ltb_lt, L]). pose proof (B c G). lia.
      - exists a. split; [exact J|]. pose proof (P a b J I ltac:(lia) Db). lia. }
    rewrite sum_combined, D in H. nia.
Qed.
Theorem mean_chord : forall (x y : T -> Z) l t, l <> [] ->
  (forall a b, In a l -> In b l -> count l * x a <= sum x l -> sum x l < count l * x b ->
     t * (x b - x a) < y a * (count l * x b - sum x l) + y b * (sum x l - count l * x a)) ->
  (forall a, In a l -> count l * x a = sum x l -> t < count l * y a) -> t < sum y l.
Proof.
  intros x y l t N P Q. set (k := count l) in *. set (X := sum x l) in *.
  assert (Pk : 0 < k) by (unfold k, count; destruct l; [destruct (N eq_refl) | simpl length; lia]).
  assert (Ones : forall c (f : T -> Z), sum (fun a => k * f a - c * 1) l = k * sum f l - c * k).
  { intros c f. pose proof (sum_combined f (fun _ => 1) k c l) as E. cbv beta in E. rewrite E, sum_ones. reflexivity. }
  assert (H : 0 < sum (fun a => k * y a - t * 1) l).
  { apply (above_line _ (fun a => k * x a - X * 1)).
    - exact N.
    - rewrite Ones. fold X. lia.
    - intros a b Ia Ib La Lb. specialize (P a b Ia Ib ltac:(lia) ltac:(lia)).
      assert (E : (k * y a - t * 1) * (k * x b - X * 1) - (k * y b - t * 1) * (k * x a - X * 1)
        = k * (y a * (k * x b - X) + y b * (X - k * x a) - t * (x b - x a))) by ring. nia.
    - intros a I E. specialize (Q a I ltac:(lia)). lia. }
  rewrite Ones in H. nia.
Qed.
End Chords.

(* Numbers of a list, by a key. *)
Lemma count_parts : forall A (f : A -> bool) l, count l = count (filter f l) + count (filter (fun x => negb (f x)) l).
Proof.
  intros A f. unfold count. induction l as [|x l IH]; [reflexivity|]. simpl. destruct (f x); simpl length; lia.
Qed.
Lemma sum_layers : forall A (key : A -> N) k Ls, NoDup Ls ->
  sum (fun x => count (filter (fun e => (key e =? x)%N) k)) Ls = count (filter (fun e => mem (key e) Ls) k).
Proof.
  intros A key k. induction 1 as [|x Ls Out D IH].
  - unfold mem. simpl. unfold count. induction k as [|e k IHk]; [reflexivity | exact IHk].
  - cbn [sum]. rewrite IH, <- count_filter.
    + f_equal.
    + intros e _ E. apply N.eqb_eq in E. rewrite E. apply mem_not_In, Out.
Qed.
Definition span_of (n : N) : list N := map N.of_nat (seq 0 (N.to_nat n)).
Lemma span_of_In : forall n v, In v (span_of n) <-> (v < n)%N.
Proof.
  intros n v. unfold span_of. rewrite in_map_iff. split.
  - intros (x & <- & I). apply in_seq in I. lia.
  - intros L. exists (N.to_nat v). split; [apply N2Nat.id | apply in_seq; lia].
Qed.
Lemma span_of_NoDup : forall n, NoDup (span_of n).
Proof.
  intros n. unfold span_of. apply FinFun.Injective_map_NoDup; [intros a b E; lia | apply seq_NoDup].
Qed.
Lemma span_of_count : forall n, count (span_of n) = Z.of_N n.
Proof. intros n. unfold span_of, count. rewrite map_length, seq_length. lia. Qed.
Lemma count_below : forall n l, NoDup l -> (forall v, In v l -> (v < n)%N) -> count l <= Z.of_N n.
Proof.
  intros n l D B. rewrite <- span_of_count. unfold count. apply Nat2Z.inj_le, NoDup_incl_length; [exact D|].
  intros v I. apply span_of_In, B, I.
Qed.
Lemma nodup_count : forall l, count (nodup N.eq_dec l) <= count l.
Proof.
  intros l. unfold count. apply Nat2Z.inj_le, NoDup_incl_length; [apply NoDup_nodup|]. intros v I. apply nodup_In in I. exact I.
Qed.

(* The least that a window moves: layers touch at least what a line through two points says, and
   sums go in or out where layers differ by more than are open at its ends. *)
Definition chord (h : Z -> Z) (k A c1 c2 : Z) : Z :=
  if c1 =? c2 then k * h c1 else - ((- (h c1 * (k * c2 - A) + h c2 * (A - k * c1))) / (c2 - c1)).
Lemma even_layers : forall (h : Z -> Z) (most : Z) (F X u : Z) (x : N -> Z) Ls, Ls <> [] ->
  (forall c1 c2, 0 <= c1 -> c1 <= c2 -> c2 <= most -> count Ls * c1 <= sum x Ls -> sum x Ls <= count Ls * c2 ->
     F <= chord h (count Ls) (sum x Ls) c1 c2 + Z.max 0 (c2 - c1 - X)) ->
  (forall l, In l Ls -> 0 <= x l <= most) -> (forall l l', In l Ls -> In l' Ls -> x l - x l' <= u) ->
  F <= sum (fun l => h (x l)) Ls + Z.max 0 (u - X).
Proof.
  intros h most F X u x Ls N Least R U. set (k := count Ls) in *. set (A := sum x Ls) in *.
  assert (H : F - Z.max 0 (u - X) - 1 < sum (fun l => h (x l)) Ls); [|lia].
  assert (U0 : 0 <= u) by (destruct Ls as [|l Ls]; [destruct (N eq_refl)|]; specialize (U l l (or_introl eq_refl) (or_introl eq_refl)); lia).
  apply (mean_chord _ x); [exact N | |]; fold k A.
  - intros a b Ia Ib La Lb. pose proof (R a Ia). pose proof (R b Ib). pose proof (U b a Ib Ia).
    assert (Pk : 0 < k) by (unfold k, count; destruct Ls; [destruct (N eq_refl) | simpl length; lia]).
    assert (Lab : x a < x b) by nia.
    specialize (Least (x a) (x b) ltac:(lia) ltac:(lia) ltac:(lia) La ltac:(lia)). unfold chord in Least.
    destruct (Z.eqb_spec (x a) (x b)) as [E | _]; [lia|].
    set (top := h (x a) * (k * x b - A) + h (x b) * (A - k * x a)) in *. set (w := x b - x a) in *.
    destruct (Z.le_gt_cases top ((F - Z.max 0 (u - X) - 1) * w)) as [L | L]; [|exact L]. exfalso.
    assert (- (F - Z.max 0 (u - X) - 1) <= (- top) / w) by (apply Z.div_le_lower_bound; lia). lia.
  - intros a Ia E. pose proof (R a Ia).
    specialize (Least (x a) (x a) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)). unfold chord in Least.
    rewrite Z.eqb_refl in Least. lia.
Qed.

(* The least words of windows of so many updates, over all numbers of sums that are open at cuts: a
   shortest way over pairs of such a number and what has been moved so far. *)
Definition far : Z := 2 ^ 40.
Definition lowest {T : Type} (f : T -> Z) (l : list T) : Z := fold_left (fun least x => Z.min least (f x)) l far.
Lemma lowest_least : forall T (f : T -> Z) l x, In x l -> lowest f l <= f x.
Proof.
  intros T f l x. unfold lowest.
  assert (Down : forall rest a, fold_left (fun least y => Z.min least (f y)) rest a <= a).
  { induction rest as [|y rest IH]; intros a; simpl; [lia|]. specialize (IH (Z.min a (f y))). lia. }
  generalize far. induction l as [|y l IH]; intros a I; [destruct I|]. simpl. destruct I as [-> | I]; [|apply IH, I].
  specialize (Down l (Z.min a (f x))). lia.
Qed.
Definition way (F : Z -> Z) (room : Z) (sums : list Z) (costs : list (Z * Z)) : list (Z * Z) :=
  map (fun c => (c, lowest (fun e => snd e - (room - fst e) + F (Z.max (fst e) c)) costs)) sums.
Definition at_zero (costs : list (Z * Z)) : Z := lowest snd (filter (fun e => fst e =? 0) costs).
Definition ways (F : Z -> Z -> Z) (room : Z) (sums : list Z) (sizes : list Z) (costs : list (Z * Z)) : Z :=
  at_zero (fold_left (fun costs A => way (F A) room sums costs) sizes costs).
Lemma way_step : forall F room sums costs c a c', In (c, a) costs -> In c' sums ->
  exists a', In (c', a') (way F room sums costs) /\ a' <= a - (room - c) + F (Z.max c c').
Proof.
  intros F room sums costs c a c' I J. eexists. split; [apply in_map_iff; exists c'; split; [reflexivity | exact J]|].
  exact (lowest_least _ (fun e => snd e - (room - fst e) + F (Z.max (fst e) c')) costs (c, a) I).
Qed.
Lemma at_zero_least : forall costs a, In (0, a) costs -> at_zero costs <= a.
Proof. intros costs a I. apply (lowest_least _ snd _ (0, a)). apply filter_In. split; [exact I | reflexivity]. Qed.

(* Plays of a product whose chains are computed update by update. Chain c has its update of layer l at
   the vertex at_ c l; the last one is an output. *)
Section Chained.
Variables (r : rules) (g : dag) (M : Z).
Hypothesis S : sound g.
Hypothesis O : recompute r = false.
Hypothesis one_word : forall v, (v < size g)%N -> words g v = 1.
Variables (m n k : N) (chain layer row column : N -> N) (at_ : N -> N -> N) (left_ : N -> bool) (key : N -> N * N).
Hypothesis some_layers : (0 < k)%N.
Hypothesis is_at : forall v, (v < size g)%N -> is_input g v = false ->
  v = at_ (chain v) (layer v) /\ (chain v < m * n)%N /\ (layer v < k)%N.
Hypothesis at_is : forall c l, (c < m * n)%N -> (l < k)%N ->
  (at_ c l < size g)%N /\ is_input g (at_ c l) = false /\ chain (at_ c l) = c /\ layer (at_ c l) = l.
Hypothesis follows : forall c l, (c < m * n)%N -> (N.succ l < k)%N -> In (at_ c l) (operands g (at_ c (N.succ l))).
Hypothesis read_later : forall v w, (w < size g)%N -> In v (operands g w) -> is_input g v = false ->
  chain v = chain w /\ (layer v < layer w)%N.
Hypothesis ends_out : forall c, (c < m * n)%N -> output g (at_ c (N.pred k)) = true.
Hypothesis in_table : forall c, (c < m * n)%N -> (row c < m)%N /\ (column c < n)%N.
Hypothesis cells : forall c d, (c < m * n)%N -> (d < m * n)%N -> row c = row d -> column c = column d -> c = d.
Hypothesis reads_left : forall v, (v < size g)%N -> is_input g v = false ->
  exists u, In u (operands g v) /\ is_input g u = true /\ left_ u = true /\ key u = (row (chain v), layer v).
Hypothesis reads_right : forall v, (v < size g)%N -> is_input g v = false ->
  exists u, In u (operands g v) /\ is_input g u = true /\ left_ u = false /\ key u = (layer v, column (chain v)).

(* Chains that are open; what is no last sum; what counts as moved beside the last sums. *)
Definition ends_chain (v : N) : bool := negb (is_input g v) && (layer v =? N.pred k)%N.
Definition open_sum (v : N) : bool := negb (is_input g v) && negb (layer v =? N.pred k)%N.
Definition opens (s : state) : Z := count (nodup N.eq_dec (map chain (filter open_sum (red s)))).
Definition moved (p : list move) : Z := count (loaded p) + count (filter (fun v => negb (ends_chain v)) (stored p)).
Lemma moved_app : forall p q, moved (p ++ q) = moved p + moved q.
Proof. intros. unfold moved. rewrite loaded_app, stored_app, filter_app, !count_app. lia. Qed.
Lemma opens_sums : forall s, opens s <= sums_in g s.
Proof.
  intros s. unfold opens, sums_in. eapply Z.le_trans; [apply nodup_count|]. rewrite count_map.
  rewrite (count_parts _ (fun v => negb (layer v =? N.pred k)%N) (filter (fun v => negb (is_input g v)) (red s))).
  assert (E : filter open_sum (red s) = filter (fun v => negb (layer v =? N.pred k)%N) (filter (fun v => negb (is_input g v)) (red s))).
  { induction (red s) as [|v l IH]; [reflexivity|]. simpl. unfold open_sum at 1. destruct (is_input g v); simpl; [exact IH|].
    destruct (layer v =? N.pred k)%N; simpl; [exact IH | f_equal; exact IH]. }
  rewrite E. match goal with |- _ <= _ + count ?x => pose proof (count_nonneg _ x) end. lia.
Qed.
Lemma opens_few : forall s, tidy g s -> opens s <= Z.of_N (m * n).
Proof.
  intros s (_ & B). apply count_below; [apply NoDup_nodup|]. intros c I. apply nodup_In, in_map_iff in I.
  destruct I as (v & <- & I). apply filter_In in I. destruct I as (I & Op). unfold open_sum in Op. apply andb_prop in Op.
  apply is_at; [apply B, I | apply negb_true_iff, Op].
Qed.

(* The updates of a chain are computed one after another. *)
Lemma made_down : forall p x c l' l, walks r g M (start g) p x -> (c < m * n)%N -> (l < k)%N -> (l' <= l)%N ->
  In (Compute (at_ c l)) p -> In (Compute (at_ c l')) p.
Proof.
  intros p x c l' l W C. induction l as [|l IH] using N.peano_ind; intros L Le I.
  - replace l' with 0%N by lia. exact I.
  - destruct (N.eq_dec l' (N.succ l)) as [-> | Ne]; [exact I|]. apply IH; try lia.
    destruct (computed_at _ _ _ _ _ _ _ W I) as (a & b & y & E & Y & _ & Op).
    destruct (at_is c l C ltac:(lia)) as (_ & Z & _).
    rewrite E. apply in_or_app. left. eapply origin; [exact Y | exact Z | left; apply Op, follows; assumption].
Qed.
Section Window.
Variables (before q after : list move) (s t u : state).
Hypothesis A : walks r g M (start g) before s.
Hypothesis W : walks r g M s q t.
Hypothesis B : walks r g M t after u.
Hypothesis F : finished g u = true.
Let V := computed q.
Lemma in_window : forall v, In v V -> (v < size g)%N /\ is_input g v = false /\ v = at_ (chain v) (layer v)
  /\ (chain v < m * n)%N /\ (layer v < k)%N.
Proof.
  intros v I. apply computed_In in I. pose proof (moved_below r g M _ _ _ W _ I) as L. simpl in L.
  pose proof (computed_no_input r g M s q t v W I) as Z. destruct (is_at v L Z) as (E & C & K). auto.
Qed.
Lemma between : forall c l1 l2 l3, (c < m * n)%N -> (l1 <= l2)%N -> (l2 <= l3)%N -> (l3 < k)%N ->
  In (at_ c l1) V -> In (at_ c l3) V -> In (at_ c l2) V.
Proof.
  intros c l1 l2 l3 C L1 L2 L3 I1 I3. unfold V in *. apply computed_In in I1, I3. apply computed_In.
  assert (X : walks r g M (start g) (before ++ q) t) by (apply walks_app; eauto).
  pose proof (made_down _ _ c l2 l3 X C L3 L2 (in_or_app _ _ _ (or_intror I3))) as I2. apply in_app_or in I2.
  destruct I2 as [I2 | I2]; [|exact I2]. exfalso.
  pose proof (made_down _ _ c l1 l2 A C ltac:(lia) L1 I2) as J. apply in_split in I1. destruct I1 as (a & b & E).
  rewrite E, app_assoc in X. destruct (computed_once r g M _ _ _ _ _ O X) as (_ & N & _). apply N, in_or_app. left. exact J.
Qed.
Let X := nodup N.eq_dec (map chain V).
Definition late : list N := filter (fun c => negb (mem (at_ c 0) V)) X.
Definition early : list N := filter (fun c => negb (mem (at_ c (N.pred k)) V)) X.
Lemma chain_in : forall c, In c X -> exists l, (c < m * n)%N /\ (l < k)%N /\ In (at_ c l) V.
Proof.
  intros c I. unfold X in I. apply nodup_In, in_map_iff in I. destruct I as (v & <- & I).
  destruct (in_window v I) as (_ & _ & E & C & L). exists (layer v). rewrite <- E. auto.
Qed.
Lemma late_most : count late <= opens s + count (filter (fun v => negb (is_input g v)) (loaded q)).
Proof.
  rewrite <- (count_map _ _ chain (filter _ (loaded q))). unfold opens. rewrite <- count_app. unfold count.
  apply Nat2Z.inj_le, NoDup_incl_length; [apply NoDup_filter, NoDup_nodup|]. intros c I. apply filter_In in I.
  destruct I as (I & N0). apply negb_true_iff, mem_not_In in N0. destruct (chain_in c I) as (l & C & L & J). clear I.
  assert (K : exists l', (N.succ l' < k)%N /\ In (at_ c (N.succ l')) V /\ ~ In (at_ c l') V).
  { revert L J. induction l as [|l IH] using N.peano_ind; intros L J; [destruct (N0 J)|].
    destruct (in_dec N.eq_dec (at_ c l) V) as [Y | Y]; [apply IH; [lia | exact Y] | eauto]. }
  destruct K as (l' & L' & J' & N'). destruct (at_is c l' C ltac:(lia)) as (_ & Z & Ec & El).
  unfold V in J'. apply computed_In in J'. destruct (computed_at _ _ _ _ _ _ _ W J') as (a & b & y & E & Y & _ & Op).
  apply in_or_app. destruct (red_came _ _ _ _ _ _ Y _ (Op _ (follows c l' C L'))) as [R | [R | R]].
  - left. apply nodup_In, in_map_iff. exists (at_ c l'). split; [exact Ec|]. apply filter_In. split; [exact R|].
    unfold open_sum. rewrite Z, El. apply andb_true_intro. split; [reflexivity|]. apply negb_true_iff, N.eqb_neq. lia.
  - right. apply in_map_iff. exists (at_ c l'). split; [exact Ec|]. apply filter_In. rewrite Z. split; [|reflexivity].
    apply loaded_In. rewrite E. apply in_or_app. auto.
  - destruct N'. unfold V. apply computed_In. rewrite E. apply in_or_app. auto.
Qed.
Lemma early_most : count early <= opens t + count (filter (fun v => negb (ends_chain v)) (stored q)).
Proof.
  rewrite <- (count_map _ _ chain (filter _ (stored q))). unfold opens. rewrite <- count_app. unfold count.
  apply Nat2Z.inj_le, NoDup_incl_length; [apply NoDup_filter, NoDup_nodup|]. intros c I. apply filter_In in I.
  destruct I as (I & N0). apply negb_true_iff, mem_not_In in N0. destruct (chain_in c I) as (l & C & L & J). clear I.
  assert (K : forall e, (l <= e)%N -> (e < k)%N -> ~ In (at_ c e) V ->
    exists l', (l' < e)%N /\ In (at_ c l') V /\ ~ In (at_ c (N.succ l')) V).
  { induction e as [|e IH] using N.peano_ind; intros Le Lk Ne.
    - replace l with 0%N in J by lia. destruct (Ne J).
    - destruct (N.eq_dec l (N.succ e)) as [-> | Q]; [destruct (Ne J)|].
      destruct (in_dec N.eq_dec (at_ c e) V) as [Y | Y]; [exists e; repeat split; auto; lia|].
      destruct (IH ltac:(lia) ltac:(lia) Y) as (l' & L' & P). exists l'. split; [lia | exact P]. }
  destruct (K (N.pred k) ltac:(lia) ltac:(lia) N0) as (l' & L' & J' & N'). clear K.
  destruct (at_is c l' C ltac:(lia)) as (_ & Z & Ec & El).
  assert (Unread : forall w, In (at_ c l') (operands g w) -> ~ In (Compute w) q).
  { intros w J0 C0. apply computed_In in C0. fold V in C0. destruct (in_window w C0) as (Lw & _ & Ew & Cw & Kw).
    destruct (read_later _ w Lw J0 Z) as (E1 & E2). rewrite Ec in E1. rewrite El in E2. rewrite <- E1 in Ew. rewrite Ew in C0.
    apply N'. apply (between c l' (N.succ l') (layer w)); try assumption; lia. }
  unfold V in J'. apply computed_In in J'.
  apply in_or_app. destruct (window_passes_on r g M before q after s t u O S A W B F _ J' Unread) as [R | R].
  - left. apply nodup_In, in_map_iff. exists (at_ c l'). split; [exact Ec|]. apply filter_In. split; [exact R|].
    unfold open_sum. rewrite Z, El. apply andb_true_intro. split; [reflexivity|]. apply negb_true_iff, N.eqb_neq. lia.
  - right. apply in_map_iff. exists (at_ c l'). split; [exact Ec|]. apply filter_In. split; [exact R|].
    unfold ends_chain. rewrite Z, El. apply negb_true_iff, andb_false_intro2, N.eqb_neq. lia.
Qed.

(* Updates of one layer. *)
Definition in_layer (l : N) : list N := filter (fun v => (layer v =? l)%N) V.
Lemma in_layer_In : forall l v, In v (in_layer l) -> In v V /\ layer v = l /\ v = at_ (chain v) l /\ (chain v < m * n)%N.
Proof.
  intros l v I. apply filter_In in I. destruct I as (I & E). apply N.eqb_eq in E. destruct (in_window v I) as (_ & _ & H & C & _).
  rewrite E in H. auto.
Qed.
Lemma in_layer_NoDup : forall l, NoDup (in_layer l).
Proof. intros l. apply NoDup_filter, (computed_NoDup r g M O _ _ _ W). Qed.
Lemma in_layer_few : forall l, 0 <= count (in_layer l) <= Z.of_N (m * n).
Proof.
  intros l. split; [apply count_nonneg|]. rewrite <- span_of_count.
  apply (count_image _ _ chain); [apply in_layer_NoDup | |].
  - intros v w Iv Iw E. destruct (in_layer_In l v Iv) as (_ & _ & Ev & _), (in_layer_In l w Iw) as (_ & _ & Ew & _). congruence.
  - intros v I. apply span_of_In, (in_layer_In l v I).
Qed.
Lemma layers_alike : forall l l', (l < k)%N -> (l' < k)%N ->
  count (in_layer l) - count (in_layer l') <= Z.max (count late) (count early).
Proof.
  intros l l' L L'. set (f := fun v => mem (at_ (chain v) l') V). rewrite (count_parts _ f (in_layer l)).
  assert (Same : forall v w, In v (in_layer l) -> In w (in_layer l) -> chain v = chain w -> v = w).
  { intros v w Iv Iw E. destruct (in_layer_In l v Iv) as (_ & _ & Ev & _), (in_layer_In l w Iw) as (_ & _ & Ew & _). congruence. }
  assert (H1 : count (filter f (in_layer l)) <= count (in_layer l')).
  { apply (count_image _ _ (fun v => at_ (chain v) l')); [apply NoDup_filter, in_layer_NoDup | |].
    - intros v w Iv Iw E. apply filter_In in Iv, Iw. apply Same; try tauto.
      destruct (in_layer_In l v (proj1 Iv)) as (_ & _ & _ & Cv), (in_layer_In l w (proj1 Iw)) as (_ & _ & _ & Cw).
      destruct (at_is _ l' Cv L') as (_ & _ & Ev & _), (at_is _ l' Cw L') as (_ & _ & Ew & _). congruence.
    - intros v I. apply filter_In in I. destruct I as (I & J). apply mem_In in J. apply filter_In. split; [exact J|].
      destruct (in_layer_In l v I) as (_ & _ & _ & Cv). destruct (at_is _ l' Cv L') as (_ & _ & _ & El). apply N.eqb_eq, El. }
  assert (H2 : count (filter (fun v => negb (f v)) (in_layer l)) <= Z.max (count late) (count early)); [|lia].
  assert (Into : forall k', (k' = late /\ (l' <= l)%N) \/ (k' = early /\ (l <= l')%N) ->
    count (filter (fun v => negb (f v)) (in_layer l)) <= count k').
  { intros k' Ek. apply (count_image _ _ chain); [apply NoDup_filter, in_layer_NoDup | |].
    - intros v w Iv Iw E. apply filter_In in Iv, Iw. apply Same; tauto.
    - intros v I. apply filter_In in I. destruct I as (I & J). apply negb_true_iff, mem_not_In in J.
      destruct (in_layer_In l v I) as (Iv & _ & Ev & Cv). rewrite Ev in Iv.
      assert (IX : In (chain v) X) by (apply nodup_In, in_map; rewrite Ev; exact Iv).
      destruct Ek as [(-> & Le) | (-> & Le)]; apply filter_In; (split; [exact IX|]); apply negb_true_iff, mem_not_In; intros Y; apply J.
      + apply (between (chain v) 0 l' l); try assumption; lia.
      + apply (between (chain v) l l' (N.pred k)); try assumption; lia. }
  destruct (N.le_gt_cases l' l) as [Le | Le].
  - pose proof (Into late (or_introl (conj eq_refl Le))). lia.
  - pose proof (Into early (or_intror (conj eq_refl (N.lt_le_incl _ _ Le)))). lia.
Qed.

(* What layers touch. *)
Variable h : Z -> Z.
Hypothesis h_least : forall c a b, 0 <= a <= Z.of_N m -> 0 <= b <= Z.of_N n -> 0 <= c -> c <= a * b -> h c <= a + b.
Lemma layers_touch : sum (fun l => h (count (in_layer l))) (span_of k) <= inputs_in g s + count (filter (is_input g) (loaded q)).
Proof.
  set (came := filter (is_input g) (red s) ++ filter (is_input g) (loaded q)).
  assert (Came : forall v u', In v V -> In u' (operands g v) -> is_input g u' = true -> In u' came).
  { intros v u' I J Z. unfold V in I. apply computed_In in I. destruct (computed_at _ _ _ _ _ _ _ W I) as (a & b & x & E & Y & _ & Op).
    unfold came. apply in_or_app. destruct (red_came _ _ _ _ _ _ Y u' (Op u' J)) as [K | [K | K]].
    - left. apply filter_In. auto.
    - right. apply filter_In. split; [|exact Z]. apply loaded_In. rewrite E. apply in_or_app. auto.
    - pose proof (computed_no_input _ _ _ _ _ _ _ Y K). congruence. }
  set (P := map key (filter left_ came)). set (Q := map key (filter (fun x => negb (left_ x)) came)).
  apply Z.le_trans with (sum (fun l => count (filter (fun e => (snd e =? l)%N) P) + count (filter (fun e => (fst e =? l)%N) Q)) (span_of k)).
  - apply sum_le. intros l Il.
    set (rows := nodup N.eq_dec (map (fun v => row (chain v)) (in_layer l))).
    set (cols := nodup N.eq_dec (map (fun v => column (chain v)) (in_layer l))).
    assert (Hr : count rows <= count (filter (fun e => (snd e =? l)%N) P)).
    { rewrite <- (count_map _ _ fst (filter _ P)). unfold count. apply Nat2Z.inj_le, NoDup_incl_length; [apply NoDup_nodup|].
      intros i I. apply nodup_In, in_map_iff in I. destruct I as (v & <- & I). destruct (in_layer_In l v I) as (Iv & El & _ & _).
      destruct (in_window v Iv) as (Lv & Zv & _). destruct (reads_left v Lv Zv) as (x & J & Zx & Lx & Kx). rewrite El in Kx.
      apply in_map_iff. exists (key x). split; [rewrite Kx; reflexivity|]. apply filter_In. split; [|rewrite Kx; apply N.eqb_refl].
      apply in_map, filter_In. split; [exact (Came v x Iv J Zx) | exact Lx]. }
    assert (Hc : count cols <= count (filter (fun e => (fst e =? l)%N) Q)).
    { rewrite <- (count_map _ _ snd (filter _ Q)). unfold count. apply Nat2Z.inj_le, NoDup_incl_length; [apply NoDup_nodup|].
      intros i I. apply nodup_In, in_map_iff in I. destruct I as (v & <- & I). destruct (in_layer_In l v I) as (Iv & El & _ & _).
      destruct (in_window v Iv) as (Lv & Zv & _). destruct (reads_right v Lv Zv) as (x & J & Zx & Lx & Kx). rewrite El in Kx.
      apply in_map_iff. exists (key x). split; [rewrite Kx; reflexivity|]. apply filter_In. split; [|rewrite Kx; apply N.eqb_refl].
      apply in_map, filter_In. split; [exact (Came v x Iv J Zx) | rewrite Lx; reflexivity]. }
    assert (Kr : count rows <= Z.of_N m).
    { apply count_below; [apply NoDup_nodup|]. intros i I. apply nodup_In, in_map_iff in I. destruct I as (v & <- & I).
      apply in_table, (in_layer_In l v I). }
    assert (Kc : count cols <= Z.of_N n).
    { apply count_below; [apply NoDup_nodup|]. intros i I. apply nodup_In, in_map_iff in I. destruct I as (v & <- & I).
      apply in_table, (in_layer_In l v I). }
    assert (K : count (in_layer l) <= count rows * count cols).
    { unfold count at 2 3. rewrite <- Nat2Z.inj_mul, <- prod_length. fold (count (list_prod rows cols)).
      apply (count_image _ _ (fun v => (row (chain v), column (chain v)))); [apply in_layer_NoDup | |].
      - intros v w Iv Iw E. injection E as E1 E2.
        destruct (in_layer_In l v Iv) as (_ & _ & Ev & Cv), (in_layer_In l w Iw) as (_ & _ & Ew & Cw).
        pose proof (cells _ _ Cv Cw E1 E2). congruence.
      - intros v I. apply in_prod; apply nodup_In; [apply (in_map (fun v => row (chain v))) | apply (in_map (fun v => column (chain v)))]; exact I. }
    pose proof (h_least _ _ _ (conj (count_nonneg _ rows) Kr) (conj (count_nonneg _ cols) Kc) (count_nonneg _ _) K). lia.
  - rewrite sum_plus, !sum_layers by apply span_of_NoDup.
    pose proof (count_filter_most _ (fun e => mem (snd e) (span_of k)) P). pose proof (count_filter_most _ (fun e => mem (fst e) (span_of k)) Q).
    unfold P, Q in *. rewrite !count_map in *. pose proof (count_parts _ left_ came) as E. unfold came in E at 1. rewrite count_app in E.
    unfold inputs_in. lia.
Qed.

(* What a window of A updates moves, with so many open chains at its ends. *)
Lemma open_window : forall Fx, (forall c1 c2, 0 <= c1 -> c1 <= c2 -> c2 <= Z.of_N (m * n) ->
    Z.of_N k * c1 <= count V -> count V <= Z.of_N k * c2 ->
    Fx <= chord h (Z.of_N k) (count V) c1 c2 + Z.max 0 (c2 - c1 - Z.max (opens s) (opens t))) ->
  Fx <= inputs_in g s + moved q.
Proof.
  intros Fx Least.
  assert (E1 : sum (fun l => count (in_layer l)) (span_of k) = count V).
  { unfold in_layer. rewrite sum_layers by apply span_of_NoDup. f_equal.
    assert (All : forall v, In v V -> mem (layer v) (span_of k) = true).
    { intros v I. apply mem_In, span_of_In. destruct (in_window v I) as (_ & _ & _ & _ & L). exact L. }
    clear -All. induction V as [|v l IH]; [reflexivity|]. simpl. rewrite All by (left; reflexivity). f_equal.
    apply IH. intros w I. apply All. right. exact I. }
  pose proof (even_layers h (Z.of_N (m * n)) Fx (Z.max (opens s) (opens t)) (Z.max (count late) (count early))
    (fun l => count (in_layer l)) (span_of k)) as H.
  cbv beta in H. rewrite E1, span_of_count in H.
  assert (Ne : span_of k <> []).
  { intros E. pose proof (span_of_count k) as K. rewrite E in K. unfold count in K. simpl in K. lia. }
  specialize (H Ne Least (fun l _ => in_layer_few l)
    (fun l l' I I' => layers_alike l l' (proj1 (span_of_In k l) I) (proj1 (span_of_In k l') I'))).
  pose proof layers_touch. pose proof late_most. pose proof early_most.
  pose proof (count_parts _ (is_input g) (loaded q)). unfold moved.
  pose proof (count_nonneg _ (filter (fun v => negb (is_input g v)) (loaded q))).
  pose proof (count_nonneg _ (filter (fun v => negb (ends_chain v)) (stored q))). lia.
Qed.
End Window.

Variable h : Z -> Z.
Hypothesis h_least : forall c a b, 0 <= a <= Z.of_N m -> 0 <= b <= Z.of_N n -> 0 <= c -> c <= a * b -> h c <= a + b.
Variables (F : Z -> Z -> Z) (sums : list Z).
Let limit : Z := Z.min (held r M) (Z.of_N (m * n)).
Hypothesis all_sums : forall c, 0 <= c <= limit -> In c sums.
Hypothesis zero_sums : In 0 sums.
Definition good_size (A : Z) : Prop := 1 <= A /\ forall X c1 c2, 0 <= X <= Z.max 0 limit -> 0 <= c1 -> c1 <= c2 ->
  c2 <= Z.of_N (m * n) -> Z.of_N k * c1 <= A -> A <= Z.of_N k * c2 ->
  F A X <= chord h (Z.of_N k) A c1 c2 + Z.max 0 (c2 - c1 - X).
Lemma opens_nonneg : forall s, 0 <= opens s.
Proof. intros s. apply count_nonneg. Qed.
Lemma opens_limit : forall before v rest s t, walks r g M (start g) before s -> walks r g M s (Compute v :: rest) t ->
  opens s <= limit /\ inputs_in g s + opens s <= held r M.
Proof.
  intros before v rest s t A W. pose proof (held_before r g M S one_word before v rest s t A W) as H.
  pose proof (opens_sums s). pose proof (opens_few s (walks_tidy r g M _ _ _ A (start_tidy g))).
  pose proof (count_nonneg _ (filter (is_input g) (red s))). unfold inputs_in, limit in *. lia.
Qed.
Lemma open_windows : forall sizes costs before s p u a, sizes <> [] -> (forall A, In A sizes -> good_size A) ->
  walks r g M (start g) before s -> walks r g M s p u -> finished g u = true -> opens u = 0 ->
  opens s <= Z.max 0 limit -> count (computed p) = sum (fun A => A) sizes -> In (opens s, a) costs ->
  ways F (held r M) sums sizes costs <= a - (held r M - opens s) + inputs_in g s + moved p.
Proof.
  induction sizes as [|A sizes IH]; intros costs before s p u a N Good W X Fu Ou Ls C I; [destruct (N eq_refl)|].
  destruct (Good A (or_introl eq_refl)) as (PA & Least). pose proof (opens_nonneg s) as Os.
  destruct sizes as [|B sizes].
  - cbn [sum] in C. unfold ways. cbn [fold_left].
    destruct (way_step (F A) (held r M) sums costs (opens s) a 0 I zero_sums) as (a' & I' & L').
    pose proof (at_zero_least _ _ I').
    pose proof (open_window before p [] s u u W X (Rests _ _ _ _) Fu h h_least (F A (Z.max (opens s) 0))) as K.
    replace (count (computed p)) with A in K by lia. rewrite Ou in K.
    specialize (K (fun c1 c2 P1 P2 P3 P4 P5 => Least (Z.max (opens s) 0) c1 c2 ltac:(lia) P1 P2 P3 P4 P5)). lia.
  - assert (Sum : forall l, (forall Q, In Q l -> good_size Q) -> 0 <= sum (fun Q => Q) l).
    { intros l H. apply sum_nonneg. intros Q J. destruct (H Q J). lia. }
    destruct (Good B (or_intror (or_introl eq_refl))) as (PB & _).
    pose proof (Sum sizes (fun z J => Good z (or_intror (or_intror J)))) as Ps. cbn [sum] in C.
    destruct (cut_before p A ltac:(lia)) as (q & v & rest & -> & E).
    apply walks_app in X. destruct X as (t & X & Y).
    assert (W' : walks r g M (start g) (before ++ q) t) by (apply walks_app; eauto).
    destruct (opens_limit (before ++ q) v rest t u W' Y) as (Lt & Ht). pose proof (opens_nonneg t) as Ot.
    destruct (way_step (F A) (held r M) sums costs (opens s) a (opens t) I (all_sums _ (conj Ot Lt))) as (a' & I' & L').
    pose proof (open_window before q (Compute v :: rest) s t u W X Y Fu h h_least (F A (Z.max (opens s) (opens t)))) as K.
    rewrite E in K.
    specialize (K (fun c1 c2 P1 P2 P3 P4 P5 => Least (Z.max (opens s) (opens t)) c1 c2 ltac:(lia) P1 P2 P3 P4 P5)).
    assert (Rest : count (computed (Compute v :: rest)) = sum (fun A => A) (B :: sizes)).
    { unfold computed in C. rewrite flat_map_app in C. fold (computed q) (computed (Compute v :: rest)) in C.
      rewrite count_app, E in C. cbn [sum]. lia. }
    specialize (IH (way (F A) (held r M) sums costs) (before ++ q) t (Compute v :: rest) u a' ltac:(discriminate)
      (fun z J => Good z (or_intror J)) W' Y Fu Ou ltac:(lia) Rest I').
    unfold ways in *. cbn [fold_left] in *. rewrite moved_app. lia.
Qed.

(* THEOREM N16: what a play of a product moves, by the sums that are open where it is cut. *)
Theorem open_chains : forall p sizes, wins r g M p -> sizes <> [] -> (forall A, In A sizes -> good_size A) ->
  sum (fun A => A) sizes = count (filter (fun v => negb (is_input g v)) (vertices g)) ->
  Z.of_N (m * n) + ways F (held r M) sums sizes [(0, held r M)] <= cost g p.
Proof.
  intros p sizes (t & H & Ft) N Good Sizes. apply run_walks in H.
  pose proof (walks_tidy r g M _ _ _ H (start_tidy g)) as (_ & Below).
  destruct (emptied r g M (length (red t)) t (le_n _) Below) as (q & u & W & R1 & R2 & R3 & R4 & R5).
  assert (All : walks r g M (start g) (p ++ q) u) by (apply walks_app; eauto).
  assert (Fu : finished g u = true) by (unfold finished in *; rewrite R2; exact Ft).
  assert (C : count (computed (p ++ q)) = sum (fun A => A) sizes).
  { rewrite Sizes. apply Z.le_antisymm; unfold count; apply Nat2Z.inj_le, NoDup_incl_length.
    - eapply computed_NoDup; [exact O | exact All].
    - intros v I. apply computed_In in I. apply filter_In. split.
      + apply vertices_In. exact (moved_below r g M _ _ _ All _ I).
      + rewrite (computed_no_input r g M _ _ _ v All I). reflexivity.
    - apply NoDup_filter, vertices_NoDup.
    - intros v I. apply filter_In in I. destruct I as (I & Z). apply vertices_In in I. apply negb_true_iff in Z.
      apply computed_In. exact (all_computed r g M S _ u All Fu v I Z). }
  assert (E0 : opens (start g) = 0) by reflexivity.
  assert (Eu : opens u = 0) by (unfold opens; rewrite R1; reflexivity).
  pose proof (open_windows sizes [(0, held r M)] [] (start g) (p ++ q) u (held r M) N Good (Rests _ _ _ _) All Fu Eu
    ltac:(lia) C ltac:(rewrite E0; left; reflexivity)) as K.
  assert (E1 : inputs_in g (start g) = 0) by reflexivity. rewrite E0, E1 in K.
  unfold moved in K. rewrite loaded_app, stored_app, R3, R4, !app_nil_r in K.
  rewrite <- (io_is_cost r g M one_word p (start g) t H). unfold io.
  assert (Ends : Z.of_N (m * n) <= count (filter ends_chain (stored p))).
  { rewrite <- span_of_count. apply (count_image _ _ (fun c => at_ c (N.pred k))); [apply span_of_NoDup | |].
    - intros c d Ic Id E. apply span_of_In in Ic, Id. destruct (at_is c (N.pred k) Ic ltac:(lia)) as (_ & _ & Ec & _).
      destruct (at_is d (N.pred k) Id ltac:(lia)) as (_ & _ & Ed & _). congruence.
    - intros c Ic. apply span_of_In in Ic. destruct (at_is c (N.pred k) Ic ltac:(lia)) as (L & Z & _ & El).
      apply filter_In. split; [|unfold ends_chain; rewrite Z, El, N.eqb_refl; reflexivity].
      unfold finished in Ft. rewrite forallb_forall in Ft. specialize (Ft _ (proj2 (vertices_In g _) L)).
      rewrite (ends_out c Ic) in Ft. apply mem_In in Ft. apply stored_In.
      destruct (blue_came _ _ _ _ _ _ H _ Ft) as [J | J]; [|exact J]. apply start_blue in J. destruct J as (_ & J). congruence. }
  pose proof (count_parts _ ends_chain (stored p)). lia.
Qed.
End Chained.

(* The checker of the kind open-chains. *)
Lemma below_In : forall n v, In v (below n) <-> (v < n)%N.
Proof. intros n. apply below_spec. Qed.
Definition table_of (f : N -> Z) (l : list N) : Maps.map Z := fold_left (fun t v => put t v (f v)) l (empty Z).
Lemma table_of_get : forall f l v, In v l -> get (table_of f l) v = f v.
Proof.
  intros f l v. unfold table_of, get.
  assert (H : forall l t, (In v l -> Maps.find (fold_left (fun t v => put t v (f v)) l t) v = Some (f v))
    /\ (Maps.find t v = Some (f v) -> Maps.find (fold_left (fun t v => put t v (f v)) l t) v = Some (f v))).
  { induction l0 as [|x rest IH]; intros t; [split; [intros [] | auto]|]. simpl. destruct (IH (put t x (f x))) as (IH1 & IH2).
    assert (Here : Maps.find (put t x (f x)) v = if (x =? v)%N then Some (f x) else Maps.find t v) by apply find_put.
    split.
    - intros [-> | I]; [|auto]. apply IH2. rewrite Here, N.eqb_refl. reflexivity.
    - intros E. apply IH2. rewrite Here. destruct (N.eqb_spec x v) as [-> | _]; auto. }
  intros I. rewrite (proj1 (H l (empty Z)) I). reflexivity.
Qed.

(* The least rows and columns of so many updates of a layer. *)
Definition up (a b : Z) : Z := - ((- a) / b).
Definition sides (m n : N) (c : N) : Z :=
  if (c =? 0)%N then 0 else
  lowest (fun a => let b := up (Z.of_N c) (Z.of_N a) in if b <=? Z.of_N n then Z.of_N a + b else far)
    (filter (fun a => (0 <? a)%N) (below (m + 1))).
Lemma up_least : forall a b c, 0 < b -> a <= b * c -> up a b <= c.
Proof. intros a b c P H. unfold up. assert (- c <= (- a) / b) by (apply Z.div_le_lower_bound; lia). lia. Qed.
Lemma sides_least : forall m n c a b, 0 <= a <= Z.of_N m -> 0 <= b <= Z.of_N n -> 0 <= c -> c <= a * b ->
  sides m n (Z.to_N c) <= a + b.
Proof.
  intros m n c a b A B C L. unfold sides. destruct (N.eqb_spec (Z.to_N c) 0) as [_ | Nc]; [lia|].
  assert (Pa : 0 < a) by nia.
  assert (I : In (Z.to_N a) (filter (fun a => (0 <? a)%N) (below (m + 1)))).
  { apply filter_In. split; [apply below_In; lia | apply N.ltb_lt; lia]. }
  pose proof (lowest_least _ (fun a => let b := up (Z.of_N (Z.to_N c)) (Z.of_N a) in
    if b <=? Z.of_N n then Z.of_N a + b else far) _ _ I) as H. cbv beta zeta in H.
  rewrite !Z2N.id in * by lia. pose proof (up_least c a b Pa L) as U.
  destruct (Z.leb_spec (up c a) (Z.of_N n)); lia.
Qed.

(* For all differences between layers, what layers touch at least. *)
Definition spread_of (h : Z -> Z) (k A most : Z) (w : N) : Z :=
  lowest (fun c => chord h k A (Z.of_N c) (Z.of_N c + Z.of_N w))
    (filter (fun c => let d := Z.of_N c + Z.of_N w in (d <=? most) && (A <=? k * d)) (below (Z.to_N (A / k + 1)))).
Definition touch_or_pass (spreads : list (Z * Z)) (X : Z) : Z := lowest (fun e => snd e + Z.max 0 (fst e - X)) spreads.
Definition spreads_of (h : Z -> Z) (k A : Z) (most : N) : list (Z * Z) :=
  map (fun w => (Z.of_N w, spread_of h k A (Z.of_N most) w)) (below (most + 1)).
Lemma spreads_least : forall h k A most X c1 c2, 0 < k -> 0 <= c1 -> c1 <= c2 -> c2 <= Z.of_N most ->
  k * c1 <= A -> A <= k * c2 -> touch_or_pass (spreads_of h k A most) X <= chord h k A c1 c2 + Z.max 0 (c2 - c1 - X).
Proof.
  intros h k A most X c1 c2 Pk P1 P2 P3 L1 L2. set (w := Z.to_N (c2 - c1)).
  assert (I : In (Z.of_N w, spread_of h k A (Z.of_N most) w) (spreads_of h k A most)).
  { unfold spreads_of. apply (in_map (fun w => (Z.of_N w, spread_of h k A (Z.of_N most) w))), below_In. lia. }
  pose proof (lowest_least _ (fun e => snd e + Z.max 0 (fst e - X)) _ _ I) as H. cbn [fst snd] in H.
  unfold touch_or_pass. assert (Ew : Z.of_N w = c2 - c1) by lia. rewrite Ew in H.
  assert (K : spread_of h k A (Z.of_N most) w <= chord h k A c1 c2); [|lia]. unfold spread_of.
  assert (J : In (Z.to_N c1) (filter (fun c => let d := Z.of_N c + Z.of_N w in (d <=? Z.of_N most) && (A <=? k * d)) (below (Z.to_N (A / k + 1))))).
  { apply filter_In. split.
    - apply below_In. assert (c1 <= A / k) by (apply Z.div_le_lower_bound; lia). lia.
    - cbv zeta. rewrite Z2N.id, Ew by lia. replace (c1 + (c2 - c1)) with c2 by lia. apply andb_true_intro. split; apply Z.leb_le; lia. }
  pose proof (lowest_least _ (fun c => chord h k A (Z.of_N c) (Z.of_N c + Z.of_N w)) _ _ J) as Q. cbv beta in Q.
  rewrite Z2N.id in Q by lia. replace (c1 + Z.of_N w) with c2 in Q by lia. exact Q.
Qed.

Section Open.
Variables (g : dag) (s : product).
Let m := rows_ s. Let n := columns_ s. Let k := layers_ s.
Definition chain_of (v : N) : N := ((v - first_update s) / k)%N.
Definition update_at (c l : N) : N := (first_update s + c * k + l)%N.
(* Updates follow one another in their chain, read nothing else, and the last one is the output. *)
Definition is_chained (vs : list N) : bool :=
  is_product g s vs && (0 <? k)%N && (0 <? n)%N && (size g =? first_update s + m * n * k)%N
  && forallb (fun v => Bool.eqb (is_input g v) (v <? first_update s)%N
       && Bool.eqb (output g v) (negb (is_input g v) && (layer_of s v =? N.pred k)%N)
       && (is_input g v
           || (if (layer_of s v =? 0)%N then Nat.eqb (length (operands g v)) 2
               else Nat.eqb (length (operands g v)) 3 && mem (N.pred v) (operands g v)))) vs.
(* Windows of sizes that differ by one at most. *)
Definition open_sizes (windows : N) : list Z :=
  let all := Z.of_N (m * n * k) in
  map (fun j => all * (Z.of_N j + 1) / Z.of_N windows - all * Z.of_N j / Z.of_N windows) (below windows).
Definition open_sum_of (r : rules) (M : Z) (windows : N) : Z :=
  let most := (m * n)%N in
  let room := held r M in
  let sums := below (Z.to_N (Z.max 0 (Z.min room (Z.of_N most)) + 1)) in
  let sides_ := table_of (sides m n) (below (most + 1)) in
  let h := fun c => get sides_ (Z.to_N c) in
  let low := Z.of_N (m * n * k) / Z.of_N windows in
  let moved_ := fun A => let spreads := spreads_of h (Z.of_N k) A most in
    table_of (fun X => touch_or_pass spreads (Z.of_N X)) sums in
  let less := moved_ low in let more := moved_ (low + 1) in
  let F := fun A => let t := if A =? low then less else more in fun X => get t (Z.to_N X) in
  Z.of_N most + ways F room (map Z.of_N sums) (open_sizes windows) [(0, room)].
Definition good_open (vs : list N) (windows : N) : bool :=
  let low := Z.of_N (m * n * k) / Z.of_N windows in
  (0 <? windows)%N && forallb (fun A => (1 <=? A) && ((A =? low) || (A =? low + 1))) (open_sizes windows)
  && (sum (fun A => A) (open_sizes windows) =? updates_in g vs).

Variables (r : rules) (M : Z) (vs : list N).
Hypothesis S : sound g.
Hypothesis once : NoDup vs.
Hypothesis every : forall v, In v vs <-> (v < size g)%N.
Theorem open_chains_sound : forall windows p, recompute r = false -> is_chained vs = true -> good_open vs windows = true ->
  wins r g M p -> open_sum_of r M windows <= cost g p.
Proof.
  intros windows p O H G W. unfold is_chained in H. apply andb_prop in H. destruct H as (H & Each).
  apply andb_prop in H. destruct H as (H & Size). apply andb_prop in H. destruct H as (H & Pn). apply andb_prop in H.
  destruct H as (H & Pk). apply N.ltb_lt in Pk, Pn. apply N.eqb_eq in Size. unfold is_product in H. apply andb_prop in H.
  destruct H as (_ & All). rewrite forallb_forall in All, Each.
  set (f := first_update s) in *.
  assert (Cell : forall v, (v < size g)%N -> words g v = 1 /\ (is_input g v = false -> (f <= v)%N /\ is_update g s v = true
      /\ (layer_of s v = 0%N \/ In (N.pred v) (operands g v)) /\ (layer_of s v = N.pred k -> output g v = true))
      /\ ((f <= v)%N -> is_input g v = false)).
  { intros v L. apply every in L. specialize (All v L). specialize (Each v L). apply andb_prop in All, Each.
    destruct All as (A & B), Each as (C & D). apply andb_prop in C. destruct C as (C & Co). apply Z.eqb_eq in A.
    apply eqb_prop in C, Co. split; [exact A|]. split.
    - intros Z. rewrite Z in B, Co, D. cbn [orb negb andb] in B, Co, D. apply andb_prop in B. destruct B as (B1 & B2).
      apply N.leb_le in B1. split; [exact B1|]. split; [exact B2|]. split.
      + destruct (N.eqb_spec (layer_of s v) 0) as [E | E]; [left; exact E | right; apply andb_prop in D; apply mem_In, D].
      + intros E. rewrite Co, E. apply N.eqb_refl.
    - intros L'. rewrite C. apply N.ltb_ge, L'. }
  assert (At : forall v, (f <= v)%N -> v = update_at (chain_of v) (layer_of s v) /\ (layer_of s v < k)%N).
  { intros v L. unfold update_at, chain_of, layer_of. fold f. fold k. split; [|apply N.mod_lt; lia].
    pose proof (N.div_mod (v - f) k ltac:(lia)). lia. }
  assert (Is : forall c l, (l < k)%N -> chain_of (update_at c l) = c /\ layer_of s (update_at c l) = l).
  { intros c l L. unfold update_at, chain_of, layer_of. fold f. fold k. replace (f + c * k + l - f)%N with (c * k + l)%N by lia. split.
    - rewrite N.div_add_l by lia. rewrite N.div_small by lia. lia.
    - rewrite N.add_comm, N.mod_add by lia. apply N.mod_small, L. }
  assert (Low : forall c l, (c < m * n)%N -> (l < k)%N -> (update_at c l < size g)%N /\ (f <= update_at c l)%N).
  { intros c l C L. unfold update_at. fold f. rewrite Size. split; [nia | lia]. }
  assert (Same : forall v w, (f <= v)%N -> (f <= w)%N -> row_of s v = row_of s w -> column_of s v = column_of s w -> chain_of v = chain_of w).
  { intros v w Lv Lw Er Ec. unfold row_of, column_of, chain_of in *. fold f in Er, Ec |- *. fold n in Er, Ec. fold k in Er, Ec.
    pose proof (N.div_mod ((v - f) / k) n ltac:(lia)) as Ev. pose proof (N.div_mod ((w - f) / k) n ltac:(lia)) as Ew.
    rewrite Er, Ec, <- Ew in Ev. exact Ev. }
  unfold good_open in G. apply andb_prop in G. destruct G as (G & Total). apply andb_prop in G. destruct G as (Pw & Sizes).
  apply N.ltb_lt in Pw. apply Z.eqb_eq in Total. rewrite forallb_forall in Sizes.
  unfold open_sum_of. cbv zeta.
  set (sums := below (Z.to_N (Z.max 0 (Z.min (held r M) (Z.of_N (m * n))) + 1))).
  set (h := fun c => get (table_of (sides m n) (below (m * n + 1))) (Z.to_N c)).
  set (low := Z.of_N (m * n * k) / Z.of_N windows) in *.
  set (moved_ := fun A => table_of (fun X => touch_or_pass (spreads_of h (Z.of_N k) A (m * n)) (Z.of_N X)) sums).
  apply (open_chains r g M S O (fun v L => proj1 (Cell v L)) m n k chain_of (layer_of s) (fun c => (c / n)%N) (fun c => (c mod n)%N)
    update_at (in_left s) (key_of s)) with (h := h); try assumption.
  - intros v L Z. destruct (proj1 (proj2 (Cell v L)) Z) as (Fv & _). destruct (At v Fv) as (E & Lv). split; [exact E|]. split; [|exact Lv].
    unfold chain_of. fold f. apply N.div_lt_upper_bound; [lia|]. nia.
  - intros c l C L. destruct (Low c l C L) as (A & B). destruct (Is c l L) as (D & E). pose proof (proj2 (proj2 (Cell _ A)) B). auto.
  - intros c l C L. destruct (Low c (N.succ l) C L) as (A & B). destruct (Is c (N.succ l) L) as (_ & E).
    destruct (proj1 (proj2 (Cell _ A)) (proj2 (proj2 (Cell _ A)) B)) as (_ & _ & [Q | Q] & _); [lia|].
    replace (update_at c l) with (N.pred (update_at c (N.succ l))) by (unfold update_at; lia). exact Q.
  - intros v w L J Z. pose proof (operand_not_input g w v J) as Zw. destruct (proj1 (proj2 (Cell w L)) Zw) as (Fw & U & _).
    pose proof (ordered g S w v L J) as Lvw. assert (Lv : (v < size g)%N) by lia. destruct (proj1 (proj2 (Cell v Lv)) Z) as (Fv & _).
    unfold is_update in U. apply andb_prop in U. destruct U as (_ & U). rewrite forallb_forall in U. specialize (U v J).
    rewrite Z in U. cbn [orb] in U. apply andb_prop in U. destruct U as (U1 & U2). apply N.eqb_eq in U1, U2.
    pose proof (Same v w Fv Fw U1 U2) as E. split; [exact E|]. destruct (At v Fv) as (Ev & _), (At w Fw) as (Ew & _).
    rewrite E in Ev. unfold update_at in *. lia.
  - intros c C. destruct (Low c (N.pred k) C ltac:(lia)) as (A & B). destruct (Is c (N.pred k) ltac:(lia)) as (_ & E).
    apply (proj1 (proj2 (Cell _ A)) (proj2 (proj2 (Cell _ A)) B)), E.
  - intros c C. split; [apply N.div_lt_upper_bound; lia | apply N.mod_lt; lia].
  - intros c d _ _ E1 E2. pose proof (N.div_mod c n ltac:(lia)). pose proof (N.div_mod d n ltac:(lia)). congruence.
  - intros v L Z. destruct (proj1 (proj2 (Cell v L)) Z) as (_ & U & _). unfold is_update in U. apply andb_prop in U. destruct U as (U & _).
    apply andb_prop in U. destruct U as (U & _). apply existsb_exists in U. destruct U as (u & J & U). exists u.
    apply andb_prop in U. destruct U as (U & E). apply andb_prop in U. destruct U as (U & V). apply pair_is_true in E. auto.
  - intros v L Z. destruct (proj1 (proj2 (Cell v L)) Z) as (_ & U & _). unfold is_update in U. apply andb_prop in U. destruct U as (U & _).
    apply andb_prop in U. destruct U as (_ & U). apply existsb_exists in U. destruct U as (u & J & U). exists u.
    apply andb_prop in U. destruct U as (U & E). apply andb_prop in U. destruct U as (U & V). apply pair_is_true in E.
    apply negb_true_iff in V. auto.
  - intros c a b A B C L. unfold h. pose proof (sides_least m n c a b A B C L) as Q.
    rewrite table_of_get; [exact Q|]. apply below_In. nia.
  - intros c C. apply in_map_iff. exists (Z.to_N c). split; [lia|]. apply below_In. lia.
  - apply in_map_iff. exists 0%N. split; [reflexivity|]. apply below_In. lia.
  - unfold open_sizes. intros E. apply map_eq_nil in E. pose proof (proj2 (below_In windows 0%N) Pw) as Q. rewrite E in Q. destruct Q.
  - intros A I. specialize (Sizes A I). apply andb_prop in Sizes. destruct Sizes as (Pa & Ea). apply Z.leb_le in Pa. split; [exact Pa|].
    intros X c1 c2 PX P1 P2 P3 L1 L2.
    assert (E : get (if A =? low then moved_ low else moved_ (low + 1)) (Z.to_N X)
      = touch_or_pass (spreads_of h (Z.of_N k) A (m * n)) X).
    { assert (E : (if A =? low then moved_ low else moved_ (low + 1)) = moved_ A).
      { destruct (Z.eqb_spec A low) as [-> | Na]; [reflexivity|]. cbn [orb] in Ea. apply Z.eqb_eq in Ea. rewrite Ea. reflexivity. }
      rewrite E. unfold moved_. rewrite table_of_get; [rewrite Z2N.id by lia; reflexivity|]. apply below_In. lia. }
    match goal with |- ?a <= _ => change a with (get (if A =? low then moved_ low else moved_ (low + 1)) (Z.to_N X)) end.
    rewrite E. apply spreads_least; lia.
  - rewrite Total. unfold updates_in. rewrite total_sum, sum_filtered.
    apply Z.le_antisymm; unfold count; apply Nat2Z.inj_le, NoDup_incl_length;
      try (apply NoDup_filter; (exact once || apply vertices_NoDup));
      intros v I; apply filter_In in I; destruct I as (I & Z); apply filter_In; split; try exact Z;
      [apply vertices_In, every, I | apply every, vertices_In, I].
Qed.
End Open.
