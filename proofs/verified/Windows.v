(* Windows of a play: what they are computed from (W2), what they exchange (W1), and the partition
   of Hong and Kung. Moves are counted here, not words: where w is the least size of a value, so
   many moves are w times as many words, and M words hold M / w values. *)
Require Import List NArith ZArith Bool Lia.
From RedBlue Require Import Game Plays Compulsory.
Import ListNotations.
Open Scope Z_scope.

(* What can be computed from some values: a set dominates a vertex if this holds of it. *)
Inductive from (g : dag) (D : N -> Prop) : N -> Prop :=
| Given : forall v, D v -> from g D v
| Made : forall v, is_input g v = false -> (forall u, In u (operands g v) -> from g D u) -> from g D v.

Definition loaded (p : list move) : list N := flat_map (fun m => match m with Load v => [v] | _ => [] end) p.
Definition stored (p : list move) : list N := flat_map (fun m => match m with Store v => [v] | _ => [] end) p.
Definition computed (p : list move) : list N := flat_map (fun m => match m with Compute v => [v] | _ => [] end) p.
Lemma loaded_In : forall p v, In v (loaded p) <-> In (Load v) p.
Proof.
  intros p v. unfold loaded. rewrite in_flat_map. split.
  - intros ([] & I & J); try destruct J. subst. exact I. destruct H.
  - intros I. exists (Load v). simpl. auto.
Qed.
Lemma stored_In : forall p v, In v (stored p) <-> In (Store v) p.
Proof.
  intros p v. unfold stored. rewrite in_flat_map. split.
  - intros ([] & I & J); try destruct J. subst. exact I. destruct H.
  - intros I. exists (Store v). simpl. auto.
Qed.
Lemma computed_In : forall p v, In v (computed p) <-> In (Compute v) p.
Proof.
  intros p v. unfold computed. rewrite in_flat_map. split.
  - intros ([] & I & J); try destruct J. subst. exact I. destruct H.
  - intros I. exists (Compute v). simpl. auto.
Qed.
Lemma loaded_app : forall p q, loaded (p ++ q) = loaded p ++ loaded q.
Proof. intros. apply flat_map_app. Qed.
Lemma stored_app : forall p q, stored (p ++ q) = stored p ++ stored q.
Proof. intros. apply flat_map_app. Qed.
Definition count {A : Type} (l : list A) : Z := Z.of_nat (length l).
Lemma count_app : forall A (a b : list A), count (a ++ b) = count a + count b.
Proof. intros. unfold count. rewrite app_length. lia. Qed.
Lemma count_nonneg : forall A (a : list A), 0 <= count a.
Proof. intros. unfold count. lia. Qed.

Lemma walks_one : forall r g M s m t, walks r g M s [m] t -> exists next, step r g M m next s = Some t.
Proof.
  intros r g M s m t W. inversion W; subst. match goal with Q : walks _ _ _ _ [] _ |- _ => inversion Q; subst end. eauto.
Qed.

Section Windows.
Variables (r : rules) (g : dag) (M : Z).

(* A window of a play: a part of it, after some moves. What is computed for the first time in it is
   made of what is outside, and was in fast memory at its begin or is loaded in it. *)
Definition fresh (before window : list move) (v : N) : Prop := In (Compute v) window /\ ~ In (Compute v) before.
Theorem window_dominated : forall before window s t, walks r g M (start g) before s -> walks r g M s window t ->
  forall v, In (Compute v) window ->
  from g (fun u => ~ fresh before window u /\ (In u (red s) \/ In u (loaded window))) v.
Proof.
  intros before window s t A W.
  set (D := fun u => ~ fresh before window u /\ (In u (red s) \/ In u (loaded window))).
  assert (G : forall done_ rest x, window = done_ ++ rest -> walks r g M s done_ x ->
    (forall u, In u (red x) -> from g D u) /\ (forall u, In (Compute u) done_ -> from g D u)).
  { induction done_ as [|m p IH] using rev_ind; intros rest x E X.
    - inversion X; subst. split; [|intros u []]. intros u I. apply Given. split; [|tauto].
      intros (J & N). destruct (is_input g u) eqn:Z.
      + pose proof (computed_no_input _ _ _ _ _ _ _ W J). congruence.
      + apply N, (origin r g M before x u A Z). tauto.
    - apply walks_app in X. destruct X as (y & Y & X). destruct (walks_one _ _ _ _ _ _ X) as (next & K).
      assert (E' : window = p ++ [m] ++ rest) by (rewrite E, <- app_assoc; reflexivity).
      destruct (IH ([m] ++ rest) y E' Y) as (R & C). apply step_cases in K.
      assert (New : forall v, m = Compute v -> from g D v).
      { intros v ->. destruct K as (_ & Z & _ & _ & O & _). apply Made; auto. }
      split.
      + intros u I. destruct m as [v | v | v | v].
        * destruct K as (_ & B & _ & _ & Q & _). rewrite Q in I. destruct I as [<- | I]; [|auto].
          assert (Dec : fresh before window v \/ ~ fresh before window v).
          { unfold fresh. rewrite <- !computed_In. destruct (in_dec N.eq_dec v (computed window));
              destruct (in_dec N.eq_dec v (computed before)); tauto. }
          destruct Dec as [F | F].
          -- destruct F as (J & N). apply C.
             assert (Z : is_input g v = false) by (eapply computed_no_input; [exact W | exact J]).
             assert (AP : walks r g M (start g) (before ++ p) y) by (apply walks_app; eauto).
             pose proof (origin r g M _ y v AP Z (or_intror (or_introl B))) as O. apply in_app_or in O. tauto.
          -- apply Given. split; [exact F|]. right. apply loaded_In. rewrite E'. rewrite !in_app_iff. simpl. tauto.
        * destruct K as (_ & _ & _ & Q & _). rewrite Q in I. auto.
        * destruct K as (_ & _ & _ & _ & _ & _ & Q & _). rewrite Q in I. destruct I as [<- | I]; auto.
        * destruct K as (_ & _ & Q & _). rewrite Q in I. apply in_without in I. apply R. tauto.
      + intros u I. apply in_app_or in I. destruct I as [I | [I | []]]; auto. }
  intros v I. destruct (G window [] t) as (_ & C); [rewrite app_nil_r; reflexivity | exact W | auto].
Qed.

(* What a window of a one-shot play makes, and who needs it later: it is in fast memory at the end of the
   window, or is stored in it. *)
Theorem window_passes_on : forall before window after s t u, recompute r = false -> sound g ->
  walks r g M (start g) before s -> walks r g M s window t -> walks r g M t after u -> finished g u = true ->
  forall v, In (Compute v) window -> (forall w, In v (operands g w) -> ~ In (Compute w) window) ->
  In v (red t) \/ In v (stored window).
Proof.
  intros before window after s t u O S A W B F v I N.
  assert (All : walks r g M (start g) (before ++ window ++ after) u)
    by (apply walks_app; exists s; split; [exact A | apply walks_app; eauto]).
  pose proof (moved_below r g M _ _ _ All (Compute v) ltac:(rewrite !in_app_iff; auto)) as L. simpl in L.
  assert (Z : is_input g v = false) by (eapply computed_no_input; [exact W | exact I]).
  assert (Here : forall b, In (Compute v) (b ++ after) -> incl b before -> False).
  { intros b J K. pose proof I as I'. apply in_split in I'. destruct I' as (c & d & Ew).
    assert (E : before ++ window ++ after = (before ++ c) ++ Compute v :: (d ++ after))
      by (rewrite Ew, <- !app_assoc; reflexivity).
    rewrite E in All. destruct (computed_once _ _ _ _ _ _ _ _ O All) as (_ & P & Q). apply in_app_or in J.
    destruct J as [J | J]; [apply P | apply Q]; apply in_or_app; [left; apply K, J | right; exact J]. }
  destruct (in_dec N.eq_dec v (stored window)) as [St | St]; [right; exact St|]. left.
  destruct (in_dec N.eq_dec v (red t)) as [Rt | Rt]; [exact Rt|]. exfalso.
  (* not in slow memory either *)
  assert (Bt : ~ In v (blue t)).
  { intros Bl. destruct (blue_came _ _ _ _ _ _ W v Bl) as [Q | Q]; [|apply St, stored_In, Q].
    pose proof (origin r g M before s v A Z (or_intror (or_introl Q))) as J.
    apply (Here before); [apply in_or_app; left; exact J | apply incl_refl]. }
  assert (Gone : forall p x, walks r g M t p x -> (forall m, In m p -> In m after) -> ~ In v (red x) /\ ~ In v (blue x)).
  { induction p as [|m p IH] using rev_ind; intros x X Sub; [inversion X; subst; auto|].
    apply walks_app in X. destruct X as (y & Y & X). destruct (IH y Y) as (R1 & B1).
    { intros n J. apply Sub, in_or_app. auto. }
    destruct (walks_one _ _ _ _ _ _ X) as (next & K). apply step_cases in K.
    destruct m as [w | w | w | w].
    - destruct K as (_ & Bw & _ & _ & Q1 & Q2 & _). rewrite Q1, Q2. split; [|exact B1]. intros [<- | J]; tauto.
    - destruct K as (_ & Rw & _ & Q1 & Q2 & _). rewrite Q1, Q2. split; [exact R1|]. intros [<- | J]; tauto.
    - destruct K as (_ & _ & _ & _ & _ & _ & Q1 & Q2 & _). rewrite Q1, Q2. split; [|exact B1].
      intros [E | J]; [|tauto]. subst w. apply (Here []); [|intros z []]. simpl. apply Sub, in_or_app. right; left; reflexivity.
    - destruct K as (_ & _ & Q1 & Q2 & _). rewrite Q1, Q2, in_without. tauto. }
  destruct (output g v) eqn:Ov.
  - destruct (Gone after u B (fun m J => J)) as (_ & Bu). apply Bu. unfold finished in F.
    rewrite forallb_forall in F. specialize (F v (proj2 (vertices_In g v) L)). rewrite Ov in F. apply mem_In, F.
  - pose proof (purpose g S v L Z Ov) as Rd. apply read_by in Rd. destruct Rd as (w & Lw & Jw).
    pose proof (all_computed r g M S _ u All F w Lw (operand_not_input _ _ _ Jw)) as C. rewrite !in_app_iff in C.
    destruct C as [C | [C | C]].
    + destruct (computed_at _ _ _ _ _ _ _ A C) as (c & d & x & E & X & _ & Op).
      pose proof (origin r g M c x v X Z (or_introl (Op v Jw))) as J.
      apply (Here before); [|apply incl_refl]. apply in_or_app; left. rewrite E. apply in_or_app; left; exact J.
    + exact (N w Jw C).
    + destruct (computed_at _ _ _ _ _ _ _ B C) as (c & d & x & E & X & _ & Op).
      destruct (Gone c x X) as (Rx & _); [|apply Rx, Op, Jw]. intros m J. rewrite E. apply in_or_app; auto.
Qed.

(* A play in windows, one after another: at each cut so many values at most are in fast memory, and of
   each window it is known how many values its set needs, or exchanges. *)
Inductive windowed (most : Z) (known : list move -> list move -> Z -> Prop) :
  list move -> state -> list (list move) -> list Z -> state -> Prop :=
| Last : forall before s q k t, walks r g M s q t -> known before q k -> windowed most known before s [q] [k] t
| Cut : forall before s q k t w l u, walks r g M s q t -> known before q k -> count (red t) <= most ->
    windowed most known (before ++ q) t w l u -> windowed most known before s (q :: w) (k :: l) u.
Lemma windowed_walks : forall most known before s w l u, windowed most known before s w l u -> walks r g M s (concat w) u.
Proof.
  intros most known before s w l u H. induction H; simpl; [rewrite app_nil_r; assumption|].
  apply walks_app. eauto.
Qed.

(* THEOREM W2, for all rules: what windows compute for the first time takes values from outside. *)
Definition needs_from (before q : list move) (k : Z) : Prop :=
  forall D, (forall v, fresh before q v -> from g (fun u => ~ fresh before q u /\ In u D) v) -> k <= count D.
Theorem windows_from : forall most before s w l u, windowed most needs_from before s w l u ->
  walks r g M (start g) before s ->
  sum (fun k => k) l <= count (red s) + count (loaded (concat w)) + most * (count w - 1).
Proof.
  intros most before s w l u H.
  assert (One : forall before s q k t, walks r g M (start g) before s -> walks r g M s q t -> needs_from before q k ->
    k <= count (red s) + count (loaded q)).
  { clear. intros before s q k t A W K. rewrite <- count_app. apply K. intros v (I & N).
    pose proof (window_dominated before q s t A W v I) as Dm. clear -Dm.
    induction Dm as [u (Nf & Or) | u Z _ IHd]; [apply Given; split; [exact Nf | apply in_or_app; exact Or] | apply Made; auto]. }
  induction H as [before s q k t W K | before s q k t w l u W K R H IH]; intros A; cbn [sum concat].
  - rewrite app_nil_r. pose proof (One _ _ _ _ _ A W K). assert (E : count [q] = 1) by reflexivity. rewrite E. lia.
  - assert (A' : walks r g M (start g) (before ++ q) t) by (apply walks_app; eauto).
    pose proof (One _ _ _ _ _ A W K). specialize (IH A'). rewrite loaded_app, count_app.
    assert (1 <= count w) by (inversion H; subst; unfold count; simpl; lia).
    assert (E : count (q :: w) = 1 + count w) by (unfold count; simpl length; lia). rewrite E. nia.
Qed.

(* THEOREM W1, where values are computed once: what sets read from outside, and pass on. *)
Definition exchanges (before q : list move) (k : Z) : Prop :=
  exists reads passes, NoDup reads /\ NoDup passes /\ k <= count reads + count passes
    /\ (forall u, In u reads -> ~ In (Compute u) q /\ exists v, In (Compute v) q /\ In u (operands g v))
    /\ (forall v, In v passes -> In (Compute v) q /\ forall w, In v (operands g w) -> ~ In (Compute w) q).
Theorem windows_exchange : forall most before s w l u, recompute r = false -> sound g ->
  windowed most exchanges before s w l u -> walks r g M (start g) before s -> finished g u = true ->
  sum (fun k => k) l <= count (red s) + count (loaded (concat w)) + count (stored (concat w)) + count (red u)
    + 2 * most * (count w - 1).
Proof.
  intros most before s w l u O S H A F.
  assert (One : forall before s q k t after, walks r g M (start g) before s -> walks r g M s q t ->
    walks r g M t after u -> exchanges before q k ->
    k <= count (red s) + count (loaded q) + (count (red t) + count (stored q))).
  { clear -O S F. intros before s q k t after A W B (reads & passes & D1 & D2 & K & R & P).
    assert (count reads <= count (red s ++ loaded q)).
    { unfold count. apply Nat2Z.inj_le, NoDup_incl_length; [exact D1|]. intros x I. destruct (R x I) as (N & v & C & J).
      destruct (computed_at _ _ _ _ _ _ _ W C) as (a & b & y & E & Y & _ & Op).
      destruct (red_came _ _ _ _ _ _ Y x (Op x J)) as [Q | [Q | Q]]; apply in_or_app.
      - left; exact Q. - right. apply loaded_In. rewrite E. apply in_or_app; auto.
      - destruct N. rewrite E. apply in_or_app; auto. }
    assert (count passes <= count (red t ++ stored q)).
    { unfold count. apply Nat2Z.inj_le, NoDup_incl_length; [exact D2|]. intros v I. destruct (P v I) as (C & N).
      apply in_or_app. eapply window_passes_on; eauto. }
    rewrite !count_app in *. lia. }
  induction H as [before s q k t W K | before s q k t w l u W K R H IH]; cbn [sum concat].
  - rewrite !app_nil_r. pose proof (One before s q k t [] A W (Rests _ _ _ _) K). assert (E : count [q] = 1) by reflexivity. rewrite E. lia.
  - assert (A' : walks r g M (start g) (before ++ q) t) by (apply walks_app; eauto).
    pose proof (One before s q k t (concat w) A W (windowed_walks _ _ _ _ _ _ _ H) K). specialize (IH A' F One).
    rewrite loaded_app, stored_app, !count_app.
    assert (1 <= count w) by (inversion H; subst; unfold count; simpl; lia).
    assert (E : count (q :: w) = 1 + count w) by (unfold count; simpl length; lia). rewrite E.
    replace (2 * most * (1 + count w - 1)) with (2 * most * (count w - 1) + 2 * most) by ring. lia.
Qed.
End Windows.

(* The partition of Hong and Kung, for values of one word. *)
Section Partition.
Variables (r : rules) (g : dag) (M : Z).
Hypothesis some_memory : 1 <= M.
Hypothesis S : sound g.
Hypothesis one_word : forall v, (v < size g)%N -> words g v = 1.

Definition io (p : list move) : Z := count (loaded p) + count (stored p).
Lemma io_app : forall p q, io (p ++ q) = io p + io q.
Proof. intros. unfold io. rewrite loaded_app, stored_app, !count_app. lia. Qed.
Lemma io_cons : forall m p, io (m :: p) = io [m] + io p.
Proof. intros m p. apply (io_app [m] p). Qed.
Lemma io_is_cost : forall p s t, walks r g M s p t -> io p = cost g p.
Proof.
  intros p s t W. unfold cost. induction W as [s | m next s p x y E W IH]; [reflexivity|].
  rewrite io_cons, IH. apply step_cases in E. simpl sum. f_equal.
  destruct m; unfold io, count; simpl; try reflexivity; rewrite one_word; tauto || reflexivity.
Qed.
Lemma red_count : forall s, tidy g s -> count (red s) = used g s.
Proof.
  intros s (_ & B). unfold used, count. revert B. induction (red s) as [|v l IH]; intros B; [reflexivity|].
  simpl length. simpl sum. rewrite <- IH by (intros; apply B; right; assumption).
  rewrite (one_word v) by (apply B; left; reflexivity). lia.
Qed.

(* Windows with M moves of I/O at most, and M values at most in fast memory at cuts. *)
Fixpoint chain (s : state) (w : list (list move)) (t : state) : Prop :=
  match w with
  | [] => s = t /\ count (red t) <= M
  | q :: w' => count (red s) <= M /\ io q <= M /\ exists y, walks r g M s q y /\ chain y w' t
  end.
Lemma cut_play : forall p s t k, run r g M p s = Some t -> tidy g s -> roomy g M s p -> 0 <= k <= M ->
  exists q w y, p = q ++ concat w /\ walks r g M s q y /\ io q <= k /\ M * count w <= io p + M - k /\ chain y w t.
Proof.
  assert (Pos : forall v, (v < size g)%N -> 0 <= words g v) by (intros v L; rewrite one_word; [lia | exact L]).
  induction p as [|m p IH]; intros s t k H T R Kk.
  - simpl in H. injection H as <-. exists [], [], s. split; [reflexivity|]. split; [constructor|].
    unfold io, count. simpl. split; [lia|]. split; [lia|]. split; [reflexivity|]. fold (count (red s)).
    rewrite red_count by exact T. destruct R as [R | (u & q & E & _)]; [exact R | discriminate].
  - simpl in H. destruct (step r g M m (hd_error p) s) as [x |] eqn:E; [|discriminate].
    pose proof (step_tidy _ _ _ _ _ _ _ E T) as T'. pose proof (step_roomy _ _ _ Pos _ _ _ _ E T R) as R'.
    assert (Io : io [m] = 0 \/ (io [m] = 1 /\ forall u, m <> Delete u)).
    { destruct m; unfold io, count; simpl; auto; right; split; auto; discriminate. }
    rewrite io_cons. destruct Io as [Io | (Io & Nd)].
    + destruct (IH x t k H T' R' Kk) as (q & w & y & -> & W & A & B & C). exists (m :: q), w, y.
      split; [reflexivity|]. split; [econstructor; eauto|]. rewrite io_cons. repeat split; try lia. exact C.
    + destruct (Z.eq_dec k 0) as [-> | Nk].
      * destruct (IH x t (M - 1) H T' R' ltac:(lia)) as (q & w & y & -> & W & A & B & C).
        exists [], ((m :: q) :: w), s. split; [reflexivity|]. split; [constructor|].
        split; [unfold io, count; simpl; lia|]. split.
        -- unfold count in *. simpl length. lia.
        -- simpl. split.
           ++ rewrite red_count by exact T. destruct R as [R | (u & z & E' & _)]; [exact R|].
              injection E' as ->. destruct (Nd u eq_refl).
           ++ split; [rewrite io_cons; lia|]. exists y. split; [econstructor; eauto | exact C].
      * destruct (IH x t (k - 1) H T' R' ltac:(lia)) as (q & w & y & -> & W & A & B & C). exists (m :: q), w, y.
        split; [reflexivity|]. split; [econstructor; eauto|]. rewrite io_cons. repeat split; try lia. exact C.
Qed.
Lemma chain_part : forall a q b s t, chain s (a ++ q :: b) t -> exists x y, walks r g M s (concat a) x
  /\ count (red x) <= M /\ walks r g M x q y /\ count (red y) <= M /\ io q <= M /\ walks r g M y (concat b) t.
Proof.
  assert (End_ : forall b s t, chain s b t -> walks r g M s (concat b) t /\ count (red s) <= M).
  { induction b as [|q b IH]; simpl; intros s t H.
    - destruct H as (-> & H). split; [constructor | exact H].
    - destruct H as (A & _ & y & W & C). split; [|exact A]. apply walks_app. exists y. split; [exact W | apply IH, C]. }
  induction a as [|c a IH]; simpl; intros q b s t (A & I & y & W & C).
  - destruct (End_ _ _ _ C) as (E & F). exists s, y. repeat split; auto. constructor.
  - destruct (IH q b y t C) as (x & z & P & Q). exists x, z. split; [apply walks_app; eauto | exact Q].
Qed.

(* THEOREM of Hong and Kung: a play of few moves has a partition into few parts, each with a
   dominator of 2 M values; where values are computed once, with a minimum set of as many. *)
Theorem hong_kung : forall p, wins r g M p -> exists parts : list (list move),
  concat parts = p /\ M * (count parts - 1) <= cost g p /\
  forall a q b, parts = a ++ q :: b ->
    (exists D, count D <= 2 * M /\ forall v, In (Compute v) q -> from g (fun u => In u D) v) /\
    (recompute r = false -> exists D, count D <= 2 * M /\
       forall v, In (Compute v) q -> (forall w, In v (operands g w) -> ~ In (Compute w) q) -> In v D).
Proof.
  intros p (t & H & F).
  destruct (cut_play p (start g) t M H (start_tidy g) (start_roomy g M p ltac:(lia)) ltac:(lia))
    as (q0 & w & y & E & W & A & B & C).
  assert (Ch : chain (start g) (q0 :: w) t).
  { simpl. split; [unfold count; simpl; lia|]. split; [exact A|]. exists y. auto. }
  exists (q0 :: w). split; [symmetry; exact E|]. split.
  - assert (E' : count (q0 :: w) - 1 = count w) by (unfold count; simpl length; lia). rewrite E'.
    rewrite <- (io_is_cost p (start g) t) by (eapply run_walks; eauto). lia.
  - intros a q b Ew. rewrite Ew in Ch. destruct (chain_part _ _ _ _ _ Ch) as (x & z & Wa & Rx & Wq & Rz & Io & Wb).
    split.
    + exists (red x ++ loaded q). rewrite count_app. split.
      * unfold io in Io. pose proof (count_nonneg _ (stored q)). lia.
      * intros v I. pose proof (window_dominated r g M (concat a) q x z Wa Wq v I) as D. clear -D.
        induction D as [u (_ & Or) | u Z _ IH]; [apply Given, in_or_app, Or | apply Made; auto].
    + intros O. exists (red z ++ stored q). rewrite count_app. split.
      * unfold io in Io. pose proof (count_nonneg _ (loaded q)). lia.
      * intros v I N. apply in_or_app. eapply window_passes_on; eauto.
Qed.
End Partition.
