(* Windows of updates of products (N1, N2): Loomis and Whitney's inequality for whole numbers, and
   what windows of a play of a product move. Values have one word and are computed once. *)
From RedBlue Require Import Game Plays Compulsory Maps Windows.
Require Import List NArith ZArith Bool Lia.
Import ListNotations.
Open Scope Z_scope.

Lemma count_map : forall A B (f : A -> B) l, count (map f l) = count l.
Proof. intros. unfold count. rewrite map_length. reflexivity. Qed.
Lemma count_filter : forall A (f h : A -> bool) l, (forall x, In x l -> f x = true -> h x = false) ->
  count (filter (fun x => f x || h x) l) = count (filter f l) + count (filter h l).
Proof.
  intros A f h. induction l as [|x l IH]; intros D; [reflexivity|]. unfold count in *. simpl.
  pose proof (D x (or_introl eq_refl)) as Dx. specialize (IH (fun y I => D y (or_intror I))).
  destruct (f x), (h x); simpl length in *; (lia || discriminate (Dx eq_refl)).
Qed.
Lemma count_filter_most : forall A (f : A -> bool) l, count (filter f l) <= count l.
Proof.
  intros A f l. unfold count. induction l as [|x l IH]; [simpl; lia|]. simpl. destruct (f x); simpl length; lia.
Qed.
Lemma count_two : forall A (f h : A -> bool) l, (forall x, In x l -> f x = true -> h x = false) ->
  count (filter f l) + count (filter h l) <= count l.
Proof. intros. rewrite <- count_filter by assumption. apply count_filter_most. Qed.
Lemma count_image : forall A B (f : A -> B) (l : list A) (k : list B), NoDup l ->
  (forall x y, In x l -> In y l -> f x = f y -> x = y) -> (forall x, In x l -> In (f x) k) -> count l <= count k.
Proof.
  intros A B f l k D J I. rewrite <- (count_map _ _ f l). unfold count. apply Nat2Z.inj_le.
  apply NoDup_incl_length.
  - clear I. induction D as [|x l Out D IH]; [constructor|]. simpl. constructor.
    + intros E. apply in_map_iff in E. destruct E as (y & E & Iy). apply Out.
      rewrite (J x y); [exact Iy | left; reflexivity | right; exact Iy | symmetry; exact E].
    + apply IH. intros. apply J; try right; assumption.
  - intros y E. apply in_map_iff in E. destruct E as (x & <- & Ix). apply I, Ix.
Qed.
Lemma sum_ones : forall A (l : list A), sum (fun _ => 1) l = count l.
Proof. intros A. unfold count. induction l as [|x l IH]; [reflexivity|]. cbn [sum length]. rewrite IH. lia. Qed.
Lemma sum_filtered : forall A (f : A -> bool) l, sum (fun v => if f v then 0 else 1) l = count (filter (fun v => negb (f v)) l).
Proof.
  intros A f. unfold count. induction l as [|x l IH]; [reflexivity|]. cbn [sum filter]. rewrite IH. destruct (f x); cbn [negb length]; lia.
Qed.

(* What one layer more adds. *)
Lemma one_layer : forall N n A a B b c, 0 <= N -> 0 <= n -> 0 <= A -> 0 <= a -> 0 <= B -> 0 <= b -> 0 <= c ->
  N * N <= c * (A * B) -> n <= a * b -> n <= c -> (N + n) * (N + n) <= c * ((A + a) * (B + b)).
Proof.
  intros N n A a B b c PN Pn PA Pa PB Pb Pc H G L.
  assert (n * n <= c * (a * b)) by (apply Z.mul_le_mono_nonneg; assumption).
  assert (K : 2 * (N * n) <= c * (A * b + a * B)).
  { assert (0 <= A * b) by (apply Z.mul_nonneg_nonneg; assumption).
    assert (0 <= a * B) by (apply Z.mul_nonneg_nonneg; assumption).
    apply Z.square_le_simpl_nonneg; [apply Z.mul_nonneg_nonneg; lia|].
    assert ((N * N) * (n * n) <= (c * (A * B)) * (c * (a * b)))
      by (apply Z.mul_le_mono_nonneg; try assumption; apply Z.mul_nonneg_nonneg; assumption).
    assert (E : 0 <= (A * b - a * B) * (A * b - a * B)) by apply Z.square_nonneg.
    assert (0 <= c * c) by (apply Z.mul_nonneg_nonneg; assumption).
    assert (0 <= (c * c) * ((A * b - a * B) * (A * b - a * B))) by (apply Z.mul_nonneg_nonneg; assumption).
    nia. }
  nia.
Qed.

(* THEOREM of Loomis and Whitney: a set of points is at most as many as the root of the product of the
   numbers of its shadows. *)
Section Shadows.
Variables (V : list N) (i j l : N -> N) (P Q R : list (N * N)).
Hypothesis once : NoDup V.
Hypothesis different : forall v w, In v V -> In w V -> i v = i w -> j v = j w -> l v = l w -> v = w.
Hypothesis shadows : forall v, In v V -> In (i v, l v) P /\ In (l v, j v) Q /\ In (i v, j v) R.
Let within (Ls : list N) (v : N) : bool := mem (l v) Ls.
Lemma layers : forall Ls, NoDup Ls ->
  count (filter (within Ls) V) * count (filter (within Ls) V)
    <= count R * (count (filter (fun e => mem (snd e) Ls) P) * count (filter (fun e => mem (fst e) Ls) Q)).
Proof.
  induction 1 as [|x Ls Out D IH].
  - assert (E : forall A (k : list A), filter (fun _ => false) k = []) by (induction k; auto).
    unfold within, mem. simpl. rewrite !E. unfold count. simpl. lia.
  - assert (Cut : forall A (f : A -> N) k, count (filter (fun e => mem (f e) (x :: Ls)) k)
      = count (filter (fun e => mem (f e) Ls) k) + count (filter (fun e => (f e =? x)%N) k)).
    { intros A f k. rewrite Z.add_comm, <- count_filter.
      - f_equal. - intros e _ E. apply N.eqb_eq in E. rewrite E. apply mem_not_In, Out. }
    unfold within in *. rewrite (Cut _ l V), (Cut _ snd P), (Cut _ fst Q).
    apply one_layer; try apply count_nonneg; [exact IH | |].
    + rewrite <- (count_map _ _ fst (filter (fun e => (snd e =? x)%N) P)), <- (count_map _ _ snd (filter (fun e => (fst e =? x)%N) Q)).
      unfold count at 2 3. rewrite <- Nat2Z.inj_mul, <- prod_length. fold (count (list_prod (map fst (filter (fun e => (snd e =? x)%N) P)) (map snd (filter (fun e => (fst e =? x)%N) Q)))).
      apply (count_image _ _ (fun v => (i v, j v))); [apply NoDup_filter, once | |].
      * intros v w Iv Iw E. apply filter_In in Iv, Iw. destruct Iv as (Iv & Ev), Iw as (Iw & Ew).
        apply N.eqb_eq in Ev, Ew. injection E as E F. apply different; congruence.
      * intros v Iv. apply filter_In in Iv. destruct Iv as (Iv & Ev). destruct (shadows v Iv) as (A & B & _).
        apply in_prod; apply in_map_iff; [exists (i v, l v) | exists (l v, j v)]; (split; [reflexivity|]);
          apply filter_In; auto.
    + apply (count_image _ _ (fun v => (i v, j v))); [apply NoDup_filter, once | |].
      * intros v w Iv Iw E. apply filter_In in Iv, Iw. destruct Iv as (Iv & Ev), Iw as (Iw & Ew).
        apply N.eqb_eq in Ev, Ew. injection E as E F. apply different; congruence.
      * intros v Iv. apply filter_In in Iv. apply shadows, Iv.
Qed.
Theorem loomis_whitney : count V * count V <= count P * count Q * count R.
Proof.
  set (Ls := nodup N.eq_dec (map l V)). pose proof (layers Ls (NoDup_nodup _ _)) as H.
  assert (E : count (filter (within Ls) V) = count V).
  { assert (All : forall v, In v V -> within Ls v = true) by (intros v I; unfold within; apply mem_In, nodup_In, in_map, I).
    f_equal. clearbody Ls. clear -All. induction V as [|v k IH]; [reflexivity|]. simpl. rewrite All by (left; reflexivity).
    f_equal. apply IH. intros w I. apply All. right. exact I. }
  rewrite E in H. clear E.
  pose proof (count_filter_most _ (fun e => mem (snd e) Ls) P) as HP. pose proof (count_filter_most _ (fun e => mem (fst e) Ls) Q) as HQ.
  pose proof (count_nonneg _ (filter (fun e => mem (snd e) Ls) P)). pose proof (count_nonneg _ (filter (fun e => mem (fst e) Ls) Q)).
  pose proof (count_nonneg _ R).
  assert (count (filter (fun e => mem (snd e) Ls) P) * count (filter (fun e => mem (fst e) Ls) Q) <= count P * count Q)
    by (apply Z.mul_le_mono_nonneg; assumption).
  rewrite (Z.mul_comm (count P * count Q)). eapply Z.le_trans; [exact H|]. apply Z.mul_le_mono_nonneg_l; assumption.
Qed.
End Shadows.

(* Of three numbers with a large product the sum is large. *)
Lemma three : forall a b c, 0 <= a -> 0 <= b -> 0 <= c -> 27 * (a * b * c) <= (a + b + c) * (a + b + c) * (a + b + c).
Proof.
  intros a b c A B C.
  assert (0 <= a * ((b - c) * (b - c))) by (apply Z.mul_nonneg_nonneg; [exact A | apply Z.square_nonneg]).
  assert (0 <= b * ((a - c) * (a - c))) by (apply Z.mul_nonneg_nonneg; [exact B | apply Z.square_nonneg]).
  assert (0 <= c * ((a - b) * (a - b))) by (apply Z.mul_nonneg_nonneg; [exact C | apply Z.square_nonneg]).
  assert (0 <= (a + b + c) * ((a - b) * (a - b) + (b - c) * (b - c) + (a - c) * (a - c))).
  { apply Z.mul_nonneg_nonneg; [lia|]. pose proof (Z.square_nonneg (a - b)). pose proof (Z.square_nonneg (b - c)).
    pose proof (Z.square_nonneg (a - c)). lia. }
  nia.
Qed.

(* Plays of a product. Every computed vertex v is an update, at the point (i v, j v, l v), and reads two inputs
   that tell (i, l) and (l, j); who reads an update has the same i and j. *)
Section Products.
Variables (r : rules) (g : dag) (M : Z).
Hypothesis S : sound g.
Hypothesis O : recompute r = false.
Hypothesis one_word : forall v, (v < size g)%N -> words g v = 1.
Variables (i j l : N -> N) (left_ : N -> bool) (key : N -> N * N).
Hypothesis different : forall v w, (v < size g)%N -> (w < size g)%N -> is_input g v = false -> is_input g w = false ->
  i v = i w -> j v = j w -> l v = l w -> v = w.
Hypothesis reads_left : forall v, (v < size g)%N -> is_input g v = false ->
  exists u, In u (operands g v) /\ is_input g u = true /\ left_ u = true /\ key u = (i v, l v).
Hypothesis reads_right : forall v, (v < size g)%N -> is_input g v = false ->
  exists u, In u (operands g v) /\ is_input g u = true /\ left_ u = false /\ key u = (l v, j v).
Hypothesis chained : forall v w, (w < size g)%N -> In v (operands g w) -> is_input g v = false -> i v = i w /\ j v = j w.

Definition inputs_in (s : state) : Z := count (filter (is_input g) (red s)).
Definition sums_in (s : state) : Z := count (filter (fun v => negb (is_input g v)) (red s)).
Lemma red_parts : forall s, inputs_in s + sums_in s <= count (red s).
Proof. intros s. apply count_two. intros x _ E. cbv beta. rewrite E. reflexivity. Qed.
Lemma computed_NoDup : forall p s t, walks r g M s p t -> NoDup (computed p).
Proof.
  induction p as [|m p IH]; intros s t W; [constructor|]. inversion W; subst.
  destruct m as [v | v | v | v]; simpl; try (eapply IH; eassumption). constructor; [|eapply IH; eassumption].
  intros I. apply computed_In in I. destruct (computed_once r g M [] v p s t O W) as (_ & _ & N). exact (N I).
Qed.

(* What a window of A updates moves, or has at its ends. *)
Lemma window_moves : forall before q after s t u, walks r g M (start g) before s -> walks r g M s q t ->
  walks r g M t after u -> finished g u = true -> exists a b c, 0 <= a /\ 0 <= b /\ 0 <= c /\
  count (computed q) * count (computed q) <= a * b * c /\
  a + b + c <= inputs_in s + count (loaded q) + sums_in t + count (stored q).
Proof.
  intros before q after s t u A W B F.
  assert (Low : forall v, In v (computed q) -> (v < size g)%N).
  { intros v I. apply computed_In in I. exact (moved_below r g M _ _ _ W _ I). }
  assert (Made_ : forall v, In v (computed q) -> is_input g v = false).
  { intros v I. apply computed_In in I. exact (computed_no_input r g M s q t v W I). }
  set (came := filter (is_input g) (red s) ++ loaded q).
  assert (Came : forall v u', In v (computed q) -> In u' (operands g v) -> is_input g u' = true -> In u' came).
  { intros v u' I J Z. apply computed_In in I. destruct (computed_at _ _ _ _ _ _ _ W I) as (a & b & x & E & X & _ & Op).
    unfold came. apply in_or_app. destruct (red_came _ _ _ _ _ _ X u' (Op u' J)) as [K | [K | K]].
    - left. apply filter_In. auto.
    - right. apply loaded_In. rewrite E. apply in_or_app. auto.
    - pose proof (computed_no_input _ _ _ _ _ _ _ X K). congruence. }
  set (P := map key (filter left_ came)). set (Q := map key (filter (fun x => negb (left_ x)) came)).
  set (gone := filter (fun v => negb (is_input g v)) (red t) ++ stored q).
  set (R := map (fun v => (i v, j v)) gone).
  exists (count P), (count Q), (count R). split; [apply count_nonneg|]. split; [apply count_nonneg|]. split; [apply count_nonneg|].
  split.
  - apply (loomis_whitney (computed q) i j l P Q R (computed_NoDup _ _ _ W)).
    + intros v w Iv Iw. apply different; auto.
    + intros v I. split; [|split].
      * destruct (reads_left v (Low v I) (Made_ v I)) as (x & J & Z & L & K). unfold P. rewrite <- K. apply in_map, filter_In.
        split; [exact (Came v x I J Z) | exact L].
      * destruct (reads_right v (Low v I) (Made_ v I)) as (x & J & Z & L & K). unfold Q. rewrite <- K. apply in_map, filter_In.
        split; [exact (Came v x I J Z) | rewrite L; reflexivity].
      * assert (Last_ : forall k v, In v (computed q) -> (N.to_nat (size g - v) <= k)%nat -> In (i v, j v) R).
        { clear v I. induction k as [|k IHk]; intros v I Lk; [pose proof (Low v I); lia|].
          destruct (existsb (fun w => mem v (operands g w)) (computed q)) eqn:E.
          - apply existsb_exists in E. destruct E as (w & Iw & J). apply mem_In in J.
            destruct (chained v w (Low w Iw) J (Made_ v I)) as (-> & ->). apply IHk; [exact Iw|].
            pose proof (ordered g S w v (Low w Iw) J). pose proof (Low v I). lia.
          - unfold R. apply (in_map (fun v => (i v, j v))). unfold gone. apply in_or_app.
            assert (Unread : forall w, In v (operands g w) -> ~ In (Compute w) q).
            { intros w J C. rewrite <- not_true_iff_false in E. apply E, existsb_exists. exists w.
              split; [apply computed_In, C | apply mem_In, J]. }
            destruct (window_passes_on r g M before q after s t u O S A W B F v ltac:(apply computed_In, I) Unread) as [K | K].
            + left. apply filter_In. rewrite (Made_ v I). auto.
            + right. exact K. }
        apply (Last_ (N.to_nat (size g - v)) v I). lia.
  - unfold P, Q, R, gone. rewrite !count_map, count_app. unfold inputs_in, sums_in.
    pose proof (count_two _ left_ (fun x => negb (left_ x)) came ltac:(intros x _ E; cbv beta; rewrite E; reflexivity)) as T.
    unfold came in T at 3. rewrite count_app in T. lia.
Qed.

(* Just before an update so many values at most are in fast memory. *)
Definition held : Z := if sliding r then M else M - 1.
Lemma held_before : forall before v rest s t, walks r g M (start g) before s -> walks r g M s (Compute v :: rest) t ->
  inputs_in s + sums_in s <= held.
Proof.
  intros before v rest s t A W. inversion W; subst. match goal with E : step _ _ _ _ _ _ = Some _ |- _ => apply step_cases in E;
    destruct E as (L & _ & _ & _ & _ & Room & _) end.
  pose proof (walks_tidy r g M _ _ _ A (start_tidy g)) as T.
  pose proof (red_parts s). pose proof (red_count g one_word s T). rewrite (one_word v L) in Room.
  unfold held, slid in *. destruct (sliding r); cbn [andb] in Room; [|lia].
  destruct (negb (used g s + words g v <=? M)) eqn:C; [|apply negb_false_iff, Z.leb_le in C; rewrite (one_word v L) in C; lia].
  destruct next as [[] |]; try lia.
  destruct (mem v0 (operands g v)) eqn:J; [|lia]. apply mem_In in J.
  rewrite (one_word v0) in Room; [lia|]. pose proof (ordered g S v v0 L J). lia.
Qed.
Lemma cut_before : forall p A, 0 <= A < count (computed p) -> exists q v rest, p = q ++ Compute v :: rest /\ count (computed q) = A.
Proof.
  induction p as [|m p IH]; intros A L; [unfold count in L; simpl in L; lia|].
  destruct (Z.eq_dec A 0) as [-> | N].
  - destruct m as [v | v | v | v]; try (destruct (IH 0 ltac:(exact L)) as (q & w & rest & -> & E);
      eexists (_ :: q), w, rest; split; [reflexivity | exact E]).
    exists [], v, p. split; reflexivity.
  - destruct m as [v | v | v | v]; try (destruct (IH A ltac:(exact L)) as (q & w & rest & -> & E);
      eexists (_ :: q), w, rest; split; [reflexivity | exact E]).
    destruct (IH (A - 1)) as (q & w & rest & -> & E); [unfold count in *; simpl in L; lia|].
    exists (Compute v :: q), w, rest. split; [reflexivity|]. unfold count in *. simpl. lia.
Qed.

(* What windows of so many updates move at least, if w says how large the sum of three numbers is. *)
Variable w : Z -> Z.
Hypothesis w_least : forall A a b c, 0 <= a -> 0 <= b -> 0 <= c -> A * A <= a * b * c -> w A <= a + b + c.
Lemma windows_move : forall sizes before s p u, sizes <> [] -> (forall A, In A sizes -> 1 <= A) ->
  walks r g M (start g) before s -> walks r g M s p u -> finished g u = true ->
  count (computed p) = sum (fun A => A) sizes ->
  sum w sizes - held * (count sizes - 1) <= inputs_in s + count (loaded p) + count (stored p) + sums_in u.
Proof.
  induction sizes as [|A sizes IH]; intros before s p u N Least W X F C; [destruct (N eq_refl)|].
  destruct sizes as [|B sizes].
  - simpl in C. destruct (window_moves before p [] s u u W X (Rests _ _ _ _) F) as (a & b & c & Pa & Pb & Pc & H & K).
    replace (count (computed p)) with A in H by lia. pose proof (w_least A a b c Pa Pb Pc H).
    assert (Len : count [A] = 1) by reflexivity. rewrite Len. cbn [sum]. lia.
  - assert (Sum : forall k, (forall A, In A k -> 1 <= A) -> 0 <= sum (fun A => A) k).
    { induction k as [|y k IHk]; intros H; simpl; [lia|]. pose proof (H y (or_introl eq_refl)).
      specialize (IHk (fun z I => H z (or_intror I))). lia. }
    pose proof (Least A (or_introl eq_refl)) as La. pose proof (Least B (or_intror (or_introl eq_refl))) as Lb.
    pose proof (Sum sizes (fun z I => Least z (or_intror (or_intror I)))) as Ls. cbn [sum] in C.
    destruct (cut_before p A ltac:(lia)) as (q & v & rest & -> & E).
    apply walks_app in X. destruct X as (t & X & Y).
    assert (W' : walks r g M (start g) (before ++ q) t) by (apply walks_app; eauto).
    destruct (window_moves before q (Compute v :: rest) s t u W X Y F) as (a & b & c & Pa & Pb & Pc & H & K).
    rewrite E in H. pose proof (w_least A a b c Pa Pb Pc H) as Wa.
    assert (Rest : count (computed (Compute v :: rest)) = sum (fun A => A) (B :: sizes)).
    { unfold computed in C. rewrite flat_map_app in C. fold (computed q) (computed (Compute v :: rest)) in C.
      rewrite count_app, E in C. cbn [sum]. lia. }
    specialize (IH (before ++ q) t (Compute v :: rest) u ltac:(discriminate) (fun z I => Least z (or_intror I)) W' Y F Rest).
    pose proof (held_before (before ++ q) v rest t u W' Y) as Hb.
    rewrite loaded_app, stored_app, !count_app.
    assert (Len : count (A :: B :: sizes) = 1 + count (B :: sizes)) by (unfold count; simpl length; lia).
    rewrite Len. cbn [sum] in *. lia.
Qed.

(* At the end fast memory can be emptied. *)
Lemma emptied : forall k s, (length (red s) <= k)%nat -> (forall v, In v (red s) -> (v < size g)%N) ->
  exists p u, walks r g M s p u /\ red u = [] /\ blue u = blue s /\ loaded p = [] /\ stored p = [] /\ computed p = [].
Proof.
  induction k as [|k IH]; intros s L B.
  - exists [], s. destruct (red s); [|simpl in L; lia]. repeat split; auto. constructor.
  - destruct (red s) as [|v rest] eqn:E.
    + exists [], s. repeat split; auto. constructor.
    + set (x := {| red := filter (fun y => negb (y =? v)%N) (red s); blue := blue s; done := done s |}).
      assert (St : step r g M (Delete v) None s = Some x).
      { simpl. rewrite (proj2 (N.ltb_lt v (size g))) by (apply B; left; reflexivity).
        rewrite E. simpl. rewrite N.eqb_refl. simpl. unfold x. rewrite E. simpl. rewrite N.eqb_refl. reflexivity. }
      destruct (IH x) as (p & u & W & R1 & R2 & R3 & R4 & R5).
      * unfold x. simpl. rewrite E. simpl. rewrite N.eqb_refl. simpl.
        pose proof (count_filter_most _ (fun y => negb (y =? v)%N) rest) as Q. unfold count in Q. simpl in L. lia.
      * intros y I. unfold x in I. simpl in I. apply filter_In in I. destruct I as (I & _). rewrite E in I. apply B, I.
      * exists (Delete v :: p), u. split; [econstructor; eassumption|]. repeat split; assumption.
Qed.

(* THEOREM: what a play of a product moves, by windows of so many updates. *)
Theorem product_windows : forall p sizes, wins r g M p -> sizes <> [] -> (forall A, In A sizes -> 1 <= A) ->
  sum (fun A => A) sizes = count (filter (fun v => negb (is_input g v)) (vertices g)) ->
  sum w sizes - held * (count sizes - 1) <= cost g p.
Proof.
  intros p sizes (t & H & F) N Least Sizes. apply run_walks in H.
  pose proof (walks_tidy r g M _ _ _ H (start_tidy g)) as (_ & Below).
  destruct (emptied (length (red t)) t (le_n _) Below) as (q & u & W & R1 & R2 & R3 & R4 & R5).
  assert (All : walks r g M (start g) (p ++ q) u) by (apply walks_app; eauto).
  assert (Fu : finished g u = true) by (unfold finished in *; rewrite R2; exact F).
  assert (C : count (computed (p ++ q)) = sum (fun A => A) sizes).
  { rewrite Sizes. apply Z.le_antisymm; unfold count; apply Nat2Z.inj_le, NoDup_incl_length.
    - eapply computed_NoDup, All.
    - intros v I. apply computed_In in I. apply filter_In. split.
      + apply vertices_In. exact (moved_below r g M _ _ _ All _ I).
      + rewrite (computed_no_input r g M _ _ _ v All I). reflexivity.
    - apply NoDup_filter, vertices_NoDup.
    - intros v I. apply filter_In in I. destruct I as (I & Z). apply vertices_In in I. apply negb_true_iff in Z.
      apply computed_In. exact (all_computed r g M S _ u All Fu v I Z). }
  pose proof (windows_move sizes [] (start g) (p ++ q) u N Least (Rests _ _ _ _) All Fu C) as K.
  rewrite loaded_app, stored_app, R3, R4, !app_nil_r in K.
  rewrite <- (io_is_cost r g M one_word p (start g) t H). unfold io.
  assert (E1 : inputs_in (start g) = 0) by reflexivity.
  assert (E2 : sums_in u = 0) by (unfold sums_in; rewrite R1; reflexivity).
  rewrite E1, E2 in K. unfold start in K. lia.
Qed.
End Products.

(* The checker of the kind projections, for products. *)
Record product := { rows_ : N; columns_ : N; layers_ : N }.
Section Matmul.
Variables (g : dag) (s : product).
Let m := rows_ s. Let n := columns_ s. Let k := layers_ s.
Definition first_update : N := (m * k + k * n)%N.
Definition row_of (v : N) : N := ((v - first_update) / k / n)%N.
Definition column_of (v : N) : N := (((v - first_update) / k) mod n)%N.
Definition layer_of (v : N) : N := ((v - first_update) mod k)%N.
Definition in_left (u : N) : bool := (u <? m * k)%N.
Definition key_of (u : N) : N * N :=
  if in_left u then ((u / k)%N, (u mod k)%N) else (((u - m * k) / n)%N, ((u - m * k) mod n)%N).
Definition pair_is (a b : N * N) : bool := ((fst a =? fst b) && (snd a =? snd b))%N.
(* An update reads what it should, and is read along its chain. *)
Definition is_update (v : N) : bool :=
  existsb (fun u => is_input g u && in_left u && pair_is (key_of u) (row_of v, layer_of v)) (operands g v)
  && existsb (fun u => is_input g u && negb (in_left u) && pair_is (key_of u) (layer_of v, column_of v)) (operands g v)
  && forallb (fun u => is_input g u || ((row_of u =? row_of v) && (column_of u =? column_of v))%N) (operands g v).
Definition is_product (vs : list N) : bool :=
  (0 <? k)%N && (0 <? n)%N
  && forallb (fun v => (words g v =? 1) && (is_input g v || ((first_update <=? v)%N && is_update v))) vs.

(* Root of third order, rounded up: whatever is tried, what is returned has been verified. *)
Fixpoint root (bits : nat) (low a : Z) : Z :=
  match bits with
  | 0%nat => low
  | Datatypes.S b => let next := low + 2 ^ Z.of_nat b in if next * next * next <? a then root b next a else root b low a
  end.
Definition touched (A : Z) : Z :=
  let a := 27 * (A * A) in let t := root 45 0 a in if (0 <=? t) && (t * t * t <? a) then t + 1 else 0.
Lemma touched_least : forall A a b c, 0 <= a -> 0 <= b -> 0 <= c -> A * A <= a * b * c -> touched A <= a + b + c.
Proof.
  intros A a b c Pa Pb Pc H. unfold touched. destruct ((0 <=? _) && _) eqn:E; [|lia].
  apply andb_prop in E. destruct E as (E0 & E). apply Z.leb_le in E0. apply Z.ltb_lt in E. set (t := root 45 0 (27 * (A * A))) in *.
  destruct (Z.le_gt_cases (t + 1) (a + b + c)) as [L | L]; [exact L|]. exfalso.
  pose proof (three a b c Pa Pb Pc) as T. set (x := a + b + c) in *. assert (0 <= x <= t) by lia.
  assert (x * x <= t * t) by (apply Z.mul_le_mono_nonneg; lia).
  assert (x * x * x <= t * t * t) by (apply Z.mul_le_mono_nonneg; try lia; apply Z.square_nonneg). lia.
Qed.
(* Windows are sizes, each with how many there are of it. *)
Definition of_windows (f : Z -> Z) (windows : list (Z * N)) : Z := sum (fun w => f (fst w) * Z.of_N (snd w)) windows.
Definition product_sum (r : rules) (M : Z) (windows : list (Z * N)) : Z :=
  of_windows touched windows - Z.max 0 (held r M) * (of_windows (fun _ => 1) windows - 1).
Definition updates_in (vs : list N) : Z := total (fun v => if is_input g v then 0 else 1) vs.
Definition good_windows (vs : list N) (windows : list (Z * N)) : bool :=
  negb (match windows with [] => true | _ => false end)
  && forallb (fun w => (1 <=? fst w) && (1 <=? snd w)%N) windows && (of_windows (fun A => A) windows =? updates_in vs).

Definition sizes_of (windows : list (Z * N)) : list Z := flat_map (fun w => repeat (fst w) (N.to_nat (snd w))) windows.
Lemma sum_sizes : forall f windows, sum f (sizes_of windows) = of_windows f windows.
Proof.
  intros f. induction windows as [|(A, c) windows IH]; [reflexivity|]. unfold sizes_of, of_windows in *. cbn [flat_map sum fst snd].
  rewrite sum_app, IH. f_equal. rewrite <- (N2Nat.id c) at 2. generalize (N.to_nat c). clear.
  intros times. induction times as [|times IH]; [cbn; lia|]. cbn [repeat sum]. rewrite IH. lia.
Qed.
Lemma pair_is_true : forall a b, pair_is a b = true -> a = b.
Proof.
  intros (a, b) (c, d) H. apply andb_prop in H. destruct H as (H & K). apply N.eqb_eq in H, K. simpl in *. congruence.
Qed.

Variables (r : rules) (M : Z) (vs : list N).
Hypothesis S : sound g.
Hypothesis once : NoDup vs.
Hypothesis every : forall v, In v vs <-> (v < size g)%N.
Theorem products_sound : forall windows p, recompute r = false -> is_product vs = true -> good_windows vs windows = true ->
  wins r g M p -> product_sum r M windows <= cost g p.
Proof.
  intros windows p O H G W. unfold is_product in H. apply andb_prop in H. destruct H as (H & All).
  apply andb_prop in H. destruct H as (Pk & Pn). apply N.ltb_lt in Pk, Pn. rewrite forallb_forall in All.
  assert (Cell : forall v, (v < size g)%N -> words g v = 1 /\ (is_input g v = false -> (first_update <= v)%N /\ is_update v = true)).
  { intros v L. apply every in L. specialize (All v L). apply andb_prop in All. destruct All as (A & B). apply Z.eqb_eq in A.
    split; [exact A|]. intros Z. rewrite Z in B. apply andb_prop in B. destruct B as (B & C). apply N.leb_le in B. auto. }
  unfold good_windows in G. apply andb_prop in G. destruct G as (G & Total). apply andb_prop in G. destruct G as (Some_ & Pos).
  apply Z.eqb_eq in Total. rewrite forallb_forall in Pos.
  assert (K : sum touched (sizes_of windows) - held r M * (count (sizes_of windows) - 1) <= cost g p).
  { apply (product_windows r g M S O (fun v L => proj1 (Cell v L)) row_of column_of layer_of in_left key_of).
    - intros v w Lv Lw Zv Zw Ei Ej El. destruct (proj2 (Cell v Lv) Zv) as (Fv & _). destruct (proj2 (Cell w Lw) Zw) as (Fw & _).
      unfold row_of, column_of, layer_of in *.
      assert (Dv := N.div_mod (v - first_update) k ltac:(lia)). assert (Dw := N.div_mod (w - first_update) k ltac:(lia)).
      assert (Ev := N.div_mod ((v - first_update) / k) n ltac:(lia)). assert (Ew := N.div_mod ((w - first_update) / k) n ltac:(lia)).
      rewrite Ei, Ej, <- Ew in Ev. rewrite Ev, El, <- Dw in Dv. lia.
    - intros v L Z. destruct (proj2 (Cell v L) Z) as (_ & U). unfold is_update in U. apply andb_prop in U. destruct U as (U & _).
      apply andb_prop in U. destruct U as (U & _). apply existsb_exists in U. destruct U as (u & J & U). exists u.
      apply andb_prop in U. destruct U as (U & E). apply andb_prop in U. destruct U as (U & V). apply pair_is_true in E. auto.
    - intros v L Z. destruct (proj2 (Cell v L) Z) as (_ & U). unfold is_update in U. apply andb_prop in U. destruct U as (U & _).
      apply andb_prop in U. destruct U as (_ & U). apply existsb_exists in U. destruct U as (u & J & U). exists u.
      apply andb_prop in U. destruct U as (U & E). apply andb_prop in U. destruct U as (U & V). apply pair_is_true in E.
      apply negb_true_iff in V. auto.
    - intros v w L J Z. pose proof (operand_not_input g w v J) as Zw. destruct (proj2 (Cell w L) Zw) as (_ & U).
      unfold is_update in U. apply andb_prop in U. destruct U as (_ & U). rewrite forallb_forall in U. specialize (U v J).
      rewrite Z in U. simpl in U. apply andb_prop in U. destruct U as (U & V). apply N.eqb_eq in U, V. auto.
    - exact touched_least.
    - exact W.
    - destruct windows as [|(A, c) rest]; [discriminate|]. specialize (Pos _ (or_introl eq_refl)). apply andb_prop in Pos.
      destruct Pos as (_ & Pos). apply N.leb_le in Pos. simpl in Pos. unfold sizes_of. simpl.
      destruct (N.to_nat c) eqn:E; [lia|]. simpl. discriminate.
    - intros A I. unfold sizes_of in I. apply in_flat_map in I. destruct I as (w & I & J). apply repeat_spec in J. subst A.
      specialize (Pos w I). apply andb_prop in Pos. destruct Pos as (Pos & _). apply Z.leb_le in Pos. exact Pos.
    - rewrite sum_sizes, Total. unfold updates_in. rewrite total_sum, sum_filtered.
      apply Z.le_antisymm; unfold count; apply Nat2Z.inj_le, NoDup_incl_length;
        try (apply NoDup_filter; (exact once || apply vertices_NoDup));
        intros v I; apply filter_In in I; destruct I as (I & Z); apply filter_In; split; try exact Z;
        [apply vertices_In, every, I | apply every, vertices_In, I]. }
  rewrite <- sum_ones, !sum_sizes in K. unfold product_sum.
  assert (C : 0 <= of_windows (fun _ => 1) windows - 1).
  { destruct windows as [|(A, c) rest]; [discriminate|]. unfold of_windows. cbn [sum fst snd].
    assert (0 <= sum (fun w => 1 * Z.of_N (snd w)) rest) by (clear; induction rest as [|x rest IH]; cbn [sum]; lia).
    specialize (Pos _ (or_introl eq_refl)). apply andb_prop in Pos. destruct Pos as (_ & Pos). apply N.leb_le in Pos. simpl in Pos. lia. }
  nia.
Qed.
End Matmul.
