(* Checks what is loaded again after fronts (P8), where values may be computed any number of times. *)
Require Import List NArith ZArith Bool Lia.
From RedBlue Require Import Game Plays Compulsory Maps Dags Pieces Moments Fronts Ledger Orders Windows.
Import ListNotations.
Open Scope Z_scope.

(* A window: a front of a piece, and a flow from inputs to it. *)
Record window := {
  window_front : list N;
  window_edges : list N;
  window_amounts : list Z
}.

Section Reloads.
Variables (r : rules) (g : dag) (M : Z) (P : piece).

(* What a computation takes of the room for values of the piece. *)
Definition taken_here (x : N) : Z :=
  taken r g x + total (fun u => if has (inside P) u then 0 else words g u) (operands g x).

(* What one window shows, and its flow: `sources` are inputs that were loaded before. *)
Definition of_window (sources : N -> bool) (w : window) : option (Z * map Z) :=
  let (after, firsts) := follow g P (window_front w) in
  match flow_of P (window_edges w) (window_amounts w) with
  | None => None
  | Some flow =>
      let carried := totals tail amount flow (empty Z) in
      let grown := supplies flow [] in
      let own := set_of (window_front w) in
      if negb (match window_front w with [] => true | _ => false end)
         && forallb (fun v => has (inside P) v && negb (is_input g v)) (window_front w)
         && forallb (fun v => (get carried v <=? (if has after v then 0 else words g v))
              && (sources v || has own v || (get grown v =? 0))) (members P)
      then Some (Z.max 0 (total (fun v => if sources v then get grown v else 0) (members P)
                          - (M - minimum (List.map taken_here firsts))), carried)
      else None
  end.
Definition firsts_of (w : window) : list N := snd (follow g P (window_front w)).
(* Each front follows all of the one before it. *)
Fixpoint in_order (before : list N) (ws : list window) : bool :=
  match ws with
  | [] => true
  | w :: rest => let c := common g P (firsts_of w) in forallb c before && in_order (window_front w) rest
  end.
Definition of_windows (ws : list window) : option (list (Z * map Z)) :=
  match ws with
  | [] => Some []
  | w :: _ =>
      let c := common g P (firsts_of w) in
      let sources := fun v => c v && is_input g v in
      if in_order [] ws
      then option_map (fun l => rev_append l []) (all_of (of_window sources) ws)
      else None
  end.

Hypothesis S : sound g.
Hypothesis some_memory : 0 <= M.
Hypothesis proper_P : proper g P.
Variable chosen : N -> list N.
Variables (p : list move) (t : state).
Hypothesis played : run r g M p (start g) = Some t.
Hypothesis ended : finished g t = true.

(* The moves before the first vertex of a front is computed. *)
Fixpoint until (front : map unit) (q : list move) : list move :=
  match q with
  | [] => []
  | Compute v :: rest => if has front v then [] else Compute v :: until front rest
  | m :: rest => m :: until front rest
  end.
Lemma until_split : forall F q, (exists v, has F v = true /\ In (Compute v) q) ->
  exists x b, q = until F q ++ Compute x :: b /\ has F x = true.
Proof.
  intros F. induction q as [|m q IH]; intros (v & H & I); [destruct I|].
  assert (Go : In (Compute v) q -> forall m', m' = m -> until F (m' :: q) = m' :: until F q ->
      exists x b, m' :: q = until F (m' :: q) ++ Compute x :: b /\ has F x = true).
  { intros J m' -> E. destruct (IH (ex_intro _ v (conj H J))) as (x & b & Q & K). exists x, b. rewrite E. simpl.
    split; [f_equal; exact Q | exact K]. }
  destruct m as [u | u | u | u]; try (destruct I as [I | I]; [discriminate | apply (Go I); reflexivity]).
  destruct (has F u) eqn:E.
  - exists u, q. simpl. rewrite E. auto.
  - destruct I as [I | I]; [injection I as ->; congruence|]. apply (Go I); [reflexivity|]. simpl. rewrite E. reflexivity.
Qed.
Lemma until_not : forall F q v, has F v = true -> ~ In (Compute v) (until F q).
Proof.
  intros F. induction q as [|m q IH]; intros v H; [intros []|].
  destruct m as [u | u | u | u]; simpl; try (intros [E | I]; [discriminate | exact (IH v H I)]).
  destruct (has F u) eqn:E; [intros []|]. intros [Q | I]; [injection Q as ->; congruence | exact (IH v H I)].
Qed.
Lemma prefix_of : forall (a b c d : list move), a ++ b = c ++ d -> (exists e, c = a ++ e) \/ (exists e, a = c ++ e /\ e <> []).
Proof.
  induction a as [|x a IH]; intros b c d E; [left; exists c; reflexivity|].
  destruct c as [|y c]; [right; exists (x :: a); split; [reflexivity | discriminate]|].
  simpl in E. injection E as -> E. destruct (IH _ _ _ E) as [(e & ->) | (e & -> & N)]; [left | right]; exists e; auto.
Qed.

Definition begins (w : window) : list move := until (set_of (window_front w)) p.
(* At the begin of a window: who comes first, and what has been. *)
Lemma begin_at : forall w, window_front w <> [] ->
  (forall v, In v (window_front w) -> In v (members P) /\ is_input g v = false) ->
  exists x b s, p = begins w ++ Compute x :: b /\ In x (window_front w) /\ In x (firsts_of w)
    /\ walks r g M (start g) (begins w) s /\ tidy g s /\ used g s <= M - taken r g x
    /\ (forall u, In u (operands g x) -> In u (red s))
    /\ (forall v, In v (window_front w) -> been (begins w) v = false)
    /\ (forall v, has (fst (follow g P (window_front w))) v = true -> been (begins w) v = false)
    /\ (forall v, common g P (firsts_of w) v = true -> been (begins w) v = true)
    /\ walks r g M s (Compute x :: b) t /\ (x < size g)%N.
Proof.
  intros w NE F. pose proof (run_walks _ _ _ _ _ _ played) as W.
  assert (Ex : exists v, has (set_of (window_front w)) v = true /\ In (Compute v) p).
  { destruct (window_front w) as [|v l] eqn:E; [congruence|]. exists v. split; [apply has_set_of; left; reflexivity|].
    destruct (F v (or_introl eq_refl)) as (I & Z). apply (all_computed r g M S p t W ended v); [|exact Z].
    apply (members_below g P proper_P), I. }
  destruct (until_split _ _ Ex) as (x & b & E & Hx). apply has_set_of in Hx. fold (begins w) in E.
  pose proof played as R. rewrite E in R.
  destruct (moment r g M S some_memory (begins w) b x t R) as (s & A & T & U & O & Lx & Zx & y & Wy & _ & _ & St).
  set (B := fun v => been (begins w) v = true).
  assert (Closed : forall v u, B v -> In u (operands g v) -> B u) by (intros v u; eapply been_closed; eauto).
  assert (Not : forall v, In v (window_front w) -> ~ B v).
  { intros v I Bv. destruct (F v I) as (_ & Z). apply (until_not (set_of (window_front w)) p v); [apply has_set_of, I|].
    eapply been_computed; eauto. }
  assert (Up : forall v u, ~ B u -> In u (operands g v) -> ~ B v) by (intros v u N I Bv; apply N; eauto).
  assert (Ops : forall u, In u (operands g x) -> B u) by (intros u I; eapply red_been; eauto).
  destruct (follow_sound g P (window_front w) (fun v => ~ B v) Not Up) as (Fs & Ff).
  assert (Xf : In x (firsts_of w)) by (apply Ff; [exact Hx | apply F, Hx | intros u I N; apply N, Ops, I]).
  exists x, b, s. split; [exact E|]. repeat split; auto; try apply T.
  - intros v I. apply not_true_iff_false, Not, I.
  - intros v I. apply not_true_iff_false, Fs, I.
  - intros v I. apply (common_sound g P (firsts_of w) x B Xf Ops Closed v I).
  - econstructor; eauto.
Qed.

Lemma picks_app : forall A (f : list move -> move -> list A) a b before,
  picks f before (a ++ b) = picks f before a ++ picks f (before ++ a) b.
Proof.
  intros A f. induction a as [|m a IH]; simpl; intros b before; [rewrite app_nil_r; reflexivity|].
  rewrite IH, <- !app_assoc. reflexivity.
Qed.
(* What flows from inputs into a window of a play passes what was there, or is loaded from what was stored before. *)
Lemma crossed : forall before s seg z flow sources, walks r g M (start g) before s -> walks r g M s seg z ->
  (forall e, In e flow -> In (tail e) (members P) /\ In (head e) (members P) /\ 0 <= amount e /\ In (tail e) (operands g (head e))) ->
  (forall v, sources v = true -> is_input g v = true) ->
  (forall v, In v (members P) -> sources v = false -> supply flow [] v = 0
     \/ (is_input g v = false /\ In (Compute v) seg /\ been before v = false)) ->
  sum (fun v => if sources v then supply flow [] v else 0) (members P)
    <= sum (fun u => if mem u (red s) || (loads u seg && mem u (blue s)) then through flow u else 0) (members P).
Proof.
  intros before s seg z flow sources A Ws Ed Src Others.
  set (D_ := fun u => mem u (red s) || (loads u seg && mem u (blue s))).
  set (R_ := fun v => computes v seg && negb (D_ v)).
  set (in_ := fun v => negb (R_ v)).
  pose proof (members_distinct g P proper_P) as Dv.
  change (sum (fun v => if sources v then supply flow [] v else 0) (members P)
    <= sum (fun u => if D_ u then through flow u else 0) (members P)).
  assert (Came : forall q y v, walks r g M s q y -> (forall m, In m q -> In m seg) -> In v (red y) \/ In v (blue y) ->
      In v (red s) \/ In v (blue s) \/ In (Compute v) seg).
  { induction q as [|m q IH] using rev_ind; intros y v Wq Sub H0; [inversion Wq; subst; tauto|].
    apply walks_app in Wq. destruct Wq as (y' & Wq & Wm). destruct (walks_one _ _ _ _ _ _ Wm) as (next & St).
    assert (Sub' : forall m0, In m0 q -> In m0 seg) by (intros m0 I; apply Sub, in_or_app; auto).
    apply step_cases in St. destruct m as [u | u | u | u]; decompose [and] St; clear St;
      match goal with Q : red y = _, Q' : blue y = _ |- _ => rewrite Q, Q' in H0 end; simpl in H0;
      try rewrite in_without in H0.
    - destruct H0 as [[<- | I] | I]; eapply IH; eauto.
    - destruct H0 as [I | [<- | I]]; eapply IH; eauto.
    - destruct H0 as [[<- | I] | I]; [right; right; apply Sub, in_or_app; right; left; reflexivity | |]; eapply IH; eauto.
    - destruct H0 as [(I & _) | I]; eapply IH; eauto. }
  assert (Closed : forall v u, R_ v = true -> In u (operands g v) -> R_ u = true \/ D_ u = true).
  { intros v u Rv I. unfold R_ in Rv. apply andb_prop in Rv. destruct Rv as (Cv & _). apply computes_In in Cv.
    destruct (computed_at _ _ _ _ _ _ _ Ws Cv) as (c & d & y & Es & Wc & _ & Op). pose proof (Op u I) as Ru.
    destruct (D_ u) eqn:Du; [right; reflexivity|]. left. unfold R_. rewrite Du, andb_true_r. apply computes_In.
    assert (Sub : forall m, In m c -> In m seg) by (intros m K; rewrite Es; apply in_or_app; auto).
    unfold D_ in Du. apply orb_false_iff in Du. destruct Du as (D1 & D2). apply mem_not_In in D1.
    destruct (Came c y u Wc Sub (or_introl Ru)) as [K | [K | K]]; [tauto | | exact K].
    destruct (red_came _ _ _ _ _ _ Wc u Ru) as [Q | [Q | Q]]; [tauto | | apply Sub, Q].
    exfalso. apply andb_false_iff in D2. destruct D2 as [D2 | D2].
    - assert (loads u seg = true) by (apply loads_In, Sub, Q). congruence.
    - apply mem_not_In in D2. tauto. }
  eapply Z.le_trans with (sum (leaving in_) flow).
  - eapply Z.le_trans; [|apply (cut_most in_ flow [] (members P) Dv)].
    + apply sum_le. intros v I. destruct (sources v) eqn:Q.
      * assert (Nc : computes v seg = false).
        { apply not_true_iff_false. intros J. apply computes_In in J. pose proof (computed_no_input _ _ _ _ _ _ _ Ws J).
          rewrite (Src v Q) in *. discriminate. }
        unfold in_, R_. rewrite Nc. simpl. lia.
      * destruct (Others v I Q) as [Z0 | (Zv & C & Nv)]; [rewrite Z0; destruct (in_ v); lia|].
        unfold in_, R_. rewrite (proj2 (computes_In v seg) C). simpl. rewrite negb_involutive. unfold D_.
        assert (Nr : mem v (red s) = false).
        { apply mem_not_In. intros K. pose proof (red_been r g M before s v A K). congruence. }
        assert (Nb : mem v (blue s) = false).
        { apply mem_not_In. intros K. pose proof (origin r g M before s v A Zv (or_intror (or_introl K))) as J.
          apply computes_In in J. unfold been in Nv. rewrite J in Nv. discriminate. }
        rewrite Nr, Nb, andb_false_r. simpl. lia.
    + intros e [I | []]. destruct (Ed e I) as (P1 & P2 & P3 & _). auto.
    + intros e [].
  - eapply Z.le_trans with (sum (fun u => sum (fun e => if (tail e =? u)%N then leaving in_ e else 0) flow) (members P)).
    * rewrite sum_swap. apply sum_le. intros e I.
      rewrite (sum_one (fun _ => leaving in_ e)); [lia | exact Dv | apply Ed, I].
    * apply sum_le. intros u Iu. destruct (D_ u) eqn:Du.
      -- apply sum_le. intros e I. unfold leaving, if_eq. destruct (Ed e I) as (_ & _ & P3 & _).
        destruct (tail e =? u)%N; [|lia]. destruct (in_ (tail e) && negb (in_ (head e))); lia.
      -- rewrite sum_zero; [lia|]. intros e I. destruct (N.eqb_spec (tail e) u) as [Q | _]; [|reflexivity].
        unfold leaving. destruct (Ed e I) as (_ & _ & _ & Op). rewrite Q in *.
        destruct (in_ (head e)) eqn:Ih; [rewrite andb_false_r; reflexivity|].
        unfold in_ in Ih. apply negb_false_iff in Ih. destruct (Closed _ _ Ih Op) as [K | K]; [|congruence].
        unfold in_. rewrite K. reflexivity.
Qed.

Definition last_stage (v : N) : N := N.of_nat (length (chosen v)).
Lemma rows_of : forall (E : list row) l, NoDup l -> (forall u, In u l -> exists j, (j <= last_stage u)%N /\ In (u, j + 1)%N E) ->
  exists rows, List.map fst rows = l /\ NoDup rows /\ incl rows E
    /\ forall e, In e rows -> exists j, (j <= last_stage (fst e))%N /\ snd e = (j + 1)%N.
Proof.
  intros E l D. induction D as [|u l N D IH]; intros H.
  - exists []. split; [reflexivity|]. split; [constructor|]. split; [intros e [] | intros e []].
  - destruct IH as (rows & M1 & D1 & I1 & J1); [intros; apply H; right; assumption|].
    destruct (H u (or_introl eq_refl)) as (j & Lj & I). exists ((u, j + 1)%N :: rows). simpl. split; [f_equal; exact M1|].
    split; [|split].
    + constructor; [|exact D1]. intros K. apply N. rewrite <- M1. apply in_map_iff. exists (u, j + 1)%N. auto.
    + intros e [<- | K]; auto.
    + intros e [<- | K]; [exists j; auto | auto].
Qed.

Lemma filter_length_le_all : forall (q : N -> bool) l, (length (filter q l) <= length l)%nat.
Proof. intros q l. induction l as [|v l IH]; simpl; [lia|]. destruct (q v); simpl; lia. Qed.

Section One.
Variables (w : window) (sources : N -> bool) (k : Z) (carried : map Z) (seg after : list move).
Hypothesis shown : of_window sources w = Some (k, carried).
Hypothesis split : p = begins w ++ seg ++ after.
Hypothesis all_in : forall v, In v (window_front w) -> In (Compute v) seg.
Hypothesis sources_been : forall v, sources v = true -> is_input g v = true /\ been (begins w) v = true.
Variables (times : Z) (charge : row -> Z).
Hypothesis times_nonneg : 0 <= times.
Hypothesis charge_nonneg : forall e, 0 <= charge e.
Hypothesis paid : forall v j, In v (members P) -> 0 < get carried v -> (j <= last_stage v)%N -> times * get carried v <= charge (v, j + 1)%N.
Notation V := (members P).

Theorem window_shows : times * k <= sum charge (picks (extra g chosen) (begins w) seg).
Proof.
  pose proof shown as H. unfold of_window in H. destruct (follow g P (window_front w)) as (after_ & firsts) eqn:Fo.
  destruct (flow_of P (window_edges w) (window_amounts w)) as [flow |] eqn:Fl; [|discriminate].
  match type of H with (if ?c then _ else _) = _ => destruct c eqn:C; [|discriminate] end.
  apply andb_prop in C. destruct C as (C & Ok). apply andb_prop in C. destruct C as (NE & Fr).
  rewrite forallb_forall in Fr, Ok. injection H as Hk Hc.
  assert (Zero : 0 <= sum charge (picks (extra g chosen) (begins w) seg)) by (apply sum_nonneg; auto).
  assert (NE' : window_front w <> []) by (destruct (window_front w); [discriminate | congruence]).
  assert (Front : forall v, In v (window_front w) -> In v V /\ is_input g v = false).
  { intros v I. specialize (Fr v I). apply andb_prop in Fr. destruct Fr as (A & B).
    split; [apply (inside_members g P proper_P), A | apply negb_true_iff, B]. }
  destruct (begin_at w NE' Front) as (x & b & s & E & Ix & Xf & A & (D & B) & U & O & Not & Below & _ & W & Lx).
  unfold firsts_of in Xf. rewrite Fo in Below, Xf. simpl in Below, Xf.
  (* the window as moves from s on *)
  assert (Seg : seg ++ after = Compute x :: b) by (rewrite E in split; apply app_inv_head in split; auto).
  assert (Ws : exists z, walks r g M s seg z) by (rewrite <- Seg in W; apply walks_app in W; destruct W as (z & Wz & _); eauto).
  destruct Ws as (z & Ws).
  assert (Ok' : forall v, In v V -> through flow v <= (if has after_ v then 0 else words g v)
      /\ (sources v = false -> has (set_of (window_front w)) v = false -> supply flow [] v = 0)).
  { intros v I. specialize (Ok v I). apply andb_prop in Ok. destruct Ok as (K & L). rewrite carried_is in K.
    rewrite supplies_is in L. apply Z.leb_le in K. split; [exact K|]. intros Q1 Q2. rewrite Q1, Q2 in L. apply Z.eqb_eq, L. }
  pose proof (flow_spec g P _ _ _ proper_P Fl) as Ed.
  assert (Through0 : forall v, 0 <= through flow v).
  { intros v. apply sum_nonneg. intros e I. unfold if_eq. destruct (tail e =? v)%N; [|lia]. apply Ed, I. }
  pose proof (members_distinct g P proper_P) as Dv.
  set (D_ := fun u => mem u (red s) || (loads u seg && mem u (blue s))).
  set (value := total (fun v => if sources v then get (supplies flow []) v else 0) V) in *.
  assert (Cut : value <= sum (fun u => if D_ u then through flow u else 0) V).
  { unfold value. rewrite total_sum, (sum_ext _ _ (fun v => if sources v then supply flow [] v else 0)).
    - apply (crossed (begins w) s seg z flow sources A Ws).
      + intros e I. destruct (Ed e I) as (P1 & P2 & P3 & P4 & _). auto.
      + intros v Q. apply sources_been, Q.
      + intros v I Q. destruct (Ok' v I) as (_ & K). destruct (has (set_of (window_front w)) v) eqn:Q'.
        * apply has_set_of in Q'. right. split; [apply Front, Q' | split; [apply all_in, Q' | apply Not, Q']].
        * left. apply K; [exact Q | reflexivity].
    - intros v _. rewrite supplies_is. reflexivity. }
  set (us := filter (fun u => negb (mem u (red s)) && loads u seg && (0 <? through flow u)) V).
  assert (Parts : sum (fun u => if D_ u then through flow u else 0) V
      <= sum (words g) (filter (fun u => mem u (red s)) V) + sum (through flow) us).
  { unfold us. rewrite !sum_filter, <- sum_plus. apply sum_le. intros u I. destruct (Ok' u I) as (K & _).
    pose proof (Through0 u) as T0. pose proof (positive g S u (members_below g P proper_P u I)) as W1. unfold D_.
    assert (K' : through flow u <= words g u) by (destruct (has after_ u); lia).
    destruct (mem u (red s)); simpl; [lia|]. destruct (loads u seg); simpl; [|lia].
    destruct (Z.ltb_spec 0 (through flow u)); destruct (mem u (blue s)); lia. }
  assert (Room : sum (words g) (filter (fun u => mem u (red s)) V) <= M - taken_here x).
  { unfold taken_here. rewrite total_sum.
    assert (sum (words g) (filter (fun u => mem u (red s)) V)
      + sum (words g) (filter (fun u => negb (has (inside P) u)) (operands g x)) <= used g s).
    { rewrite <- sum_app. apply sum_incl.
      - intros u I. pose proof (positive g S u (B u I)); lia.
      - assert (F1 : NoDup (filter (fun u => mem u (red s)) V)) by (apply NoDup_filter, Dv).
        assert (F2 : NoDup (filter (fun u => negb (has (inside P) u)) (operands g x))) by (apply NoDup_filter, (distinct g S x Lx)).
        assert (F3 : forall u, In u (filter (fun u => mem u (red s)) V) -> ~ In u (filter (fun u => negb (has (inside P) u)) (operands g x))).
        { intros u I J. apply filter_In in I. apply filter_In in J. destruct J as (_ & J). apply negb_true_iff in J.
          pose proof (proj2 (inside_members g P proper_P u) (proj1 I)). congruence. }
        clear -F1 F2 F3. induction (filter (fun u => mem u (red s)) V) as [|u l IH]; simpl; [exact F2|].
        inversion F1; subst. constructor.
        + intros I. apply in_app_or in I. destruct I as [I | I]; [tauto|]. apply (F3 u); [left; reflexivity | exact I].
        + apply IH; auto. intros v I. apply F3. right; exact I.
      - intros u I. apply in_app_or in I. destruct I as [I | I]; apply filter_In in I.
        + apply mem_In; tauto. + apply O; tauto. }
    assert (Eo : sum (fun u => if has (inside P) u then 0 else words g u) (operands g x)
        = sum (words g) (filter (fun u => negb (has (inside P) u)) (operands g x))).
    { rewrite (sum_filter _ (fun u => negb (has (inside P) u))). apply sum_ext. intros u _. destruct (has (inside P) u); reflexivity. }
    lia. }
  assert (Loads : times * sum (through flow) us <= sum charge (picks (extra g chosen) (begins w) seg)).
  { destruct (rows_of (picks (extra g chosen) (begins w) seg) us) as (rows & Mr & Dr & Ir & Jr).
    - apply NoDup_filter, Dv.
    - intros u I. apply filter_In in I. destruct I as (Iv & I). apply andb_prop in I. destruct I as (I & Th).
      apply andb_prop in I. destruct I as (_ & Ld). apply Z.ltb_lt in Th. apply loads_In in Ld. apply in_split in Ld.
      destruct Ld as (c & d & Es). exists (stage chosen u (begins w ++ c)).
      split.
      { unfold stage, last_stage. apply N2Z.inj_le. rewrite !nat_N_Z. apply Nat2Z.inj_le. apply filter_length_le_all. }
      rewrite Es. apply picks_In. simpl.
      assert (Again : is_input g u && negb (loads u (begins w ++ c)) = false).
      { destruct (is_input g u) eqn:Zu; [|reflexivity]. simpl. apply negb_false_iff.
        assert (Sup : supply flow [] u = through flow u).
        { unfold supply, through. simpl. rewrite Z.add_0_r. apply sum_ext. intros e I.
          destruct (Ed e I) as (_ & _ & _ & Op & _). unfold if_eq at 2. destruct (N.eqb_spec (head e) u) as [Q | _]; [|lia].
          rewrite Q in Op. pose proof (operand_not_input _ _ _ Op). congruence. }
        destruct (Ok' u Iv) as (_ & K). destruct (sources u) eqn:Q.
        - destruct (sources_been u Q) as (_ & Bu). pose proof played as R. rewrite E in R.
          pose proof (been_loaded r g M (begins w) b x t R u Bu Zu) as L. unfold loads in *. rewrite existsb_app, L. reflexivity.
        - destruct (has (set_of (window_front w)) u) eqn:Q'.
          + apply has_set_of in Q'. destruct (Front u Q'). congruence.
          + specialize (K eq_refl eq_refl). lia. }
      rewrite Again. left. reflexivity.
    - eapply Z.le_trans; [|apply (sum_incl _ charge rows); [auto | exact Dr | exact Ir]].
      rewrite <- Mr, sum_map, <- sum_times. apply sum_le. intros e I. destruct (Jr e I) as (j & Lj & Ej).
      destruct e as (u & i). simpl in Lj, Ej |- *. subst i.
      assert (Iu : In u us) by (rewrite <- Mr; apply in_map_iff; exists (u, j + 1)%N; auto).
      apply filter_In in Iu. destruct Iu as (Iv & Iu). apply andb_prop in Iu. destruct Iu as (_ & Th). apply Z.ltb_lt in Th.
      rewrite <- (carried_is flow u) in *. rewrite Hc in *. apply paid; assumption. }
  assert (Mn : minimum (List.map taken_here firsts) <= taken_here x) by (apply minimum_le, in_map, Xf).
  rewrite <- Hk. destruct (Z.max_spec 0 (value - (M - minimum (List.map taken_here firsts)))) as [(Lt & ->) | (_ & ->)]; [|lia].
  eapply Z.le_trans; [|exact Loads]. apply Z.mul_le_mono_nonneg_l; [exact times_nonneg | lia].
Qed.
End One.

(* THEOREM P8: what windows show, loads of their values pay for. *)
Theorem windows_sound : forall (times : Z) (charge : row -> Z) ws shown, of_windows ws = Some shown ->
  0 <= times -> (forall e, 0 <= charge e) ->
  (forall k carried v j, In (k, carried) shown -> In v (members P) -> 0 < get carried v -> (j <= last_stage v)%N ->
     times * get carried v <= charge (v, j + 1)%N) ->
  times * sum fst shown <= sum charge (events g chosen p).
Proof.
  intros times charge ws shown H Tp Cp Paid.
  assert (Zero : forall a b, 0 <= sum charge (picks (extra g chosen) a b)) by (intros; apply sum_nonneg; auto).
  destruct ws as [|w0 ws0]; [simpl in H; injection H as <-; simpl; unfold events; specialize (Zero [] p); lia|].
  unfold of_windows in H. set (sources := fun v => common g P (firsts_of w0) v && is_input g v) in *.
  destruct (in_order [] (w0 :: ws0)) eqn:Or; [|discriminate].
  destruct (all_of (of_window sources) (w0 :: ws0)) as [l |] eqn:Al; [|discriminate]. simpl in H. injection H as <-.
  pose proof (run_walks _ _ _ _ _ _ played) as Wp.
  assert (Valid : forall w kc, of_window sources w = Some kc -> window_front w <> []
      /\ forall v, In v (window_front w) -> In v (members P) /\ is_input g v = false).
  { intros w kc Hw. unfold of_window in Hw. destruct (follow g P (window_front w)). destruct (flow_of _ _ _); [|discriminate].
    match type of Hw with (if ?c then _ else _) = _ => destruct c eqn:C; [|discriminate] end.
    apply andb_prop in C. destruct C as (C & _). apply andb_prop in C. destruct C as (NE & Fr). rewrite forallb_forall in Fr.
    split; [destruct (window_front w); [discriminate | congruence]|]. intros v I. specialize (Fr v I).
    apply andb_prop in Fr. destruct Fr as (Q1 & Q2). split; [apply (inside_members g P proper_P), Q1 | apply negb_true_iff, Q2]. }
  assert (Been_more : forall a b v, been a v = true -> been (a ++ b) v = true).
  { intros a b v Q. unfold been, computes, loads in *. rewrite !existsb_app. apply orb_prop in Q.
    destruct Q as [Q | Q]; rewrite Q; simpl; auto. rewrite orb_true_r. reflexivity. }
  (* window after window, from the begin of the first of them *)
  assert (G : forall ws w before rows,
    Forall2 (fun w kc => of_window sources w = Some kc) (w :: ws) rows -> in_order before (w :: ws) = true ->
    (forall k carried, In (k, carried) rows -> In (k, carried) (rev_append l [])) ->
    (forall v, sources v = true -> is_input g v = true /\ been (begins w) v = true) ->
    exists rest, p = begins w ++ rest /\ times * sum fst rows <= sum charge (picks (extra g chosen) (begins w) rest)).
  { induction ws as [|w2 ws IH]; intros w before rows F Od In_ Src.
    - inversion F as [|? (k & carried) ? ? Hw F']; subst. inversion F'; subst.
      destruct (Valid w _ Hw) as (NE & Fr). destruct (begin_at w NE Fr) as (x & b & s & E & _ & _ & _ & _ & _ & _ & Not & _).
      exists (Compute x :: b). split; [exact E|]. simpl sum. rewrite Z.add_0_r.
      apply (window_shows w sources k carried (Compute x :: b) [] Hw); auto.
      + rewrite app_nil_r. exact E.
      + intros v I. destruct (Fr v I) as (Iv & Zv). pose proof (all_computed r g M S p t Wp ended v (members_below g P proper_P v Iv) Zv) as C.
        rewrite E in C. apply in_app_or in C. destruct C as [C | C]; [|exact C]. exfalso.
        apply computes_In in C. pose proof (Not v I) as Nv. unfold been in Nv. rewrite C in Nv. discriminate.
      + intros v j Iv Q Lj. eapply Paid; [apply In_; left; reflexivity | exact Iv | exact Q | exact Lj].
    - inversion F as [|? (k & carried) ? rows' Hw F']; subst.
      assert (Hw2 : exists kc, of_window sources w2 = Some kc) by (inversion F'; eauto). destruct Hw2 as (kc2 & Hw2).
      destruct (Valid w _ Hw) as (NE & Fr). destruct (Valid w2 _ Hw2) as (NE2 & Fr2).
      destruct (begin_at w NE Fr) as (x & b & s & E & Ix & _ & _ & _ & _ & _ & Not & _).
      destruct (begin_at w2 NE2 Fr2) as (x2 & b2 & s2 & E2 & _ & _ & _ & _ & _ & _ & _ & _ & Com & _).
      simpl in Od. apply andb_prop in Od. destruct Od as (_ & Od).
      pose proof Od as Od2. simpl in Od2. apply andb_prop in Od2. destruct Od2 as (Cm & _). rewrite forallb_forall in Cm.
      assert (All2 : forall v, In v (window_front w) -> In (Compute v) (begins w2)).
      { intros v I. destruct (Fr v I) as (_ & Zv). pose proof played as R. rewrite E2 in R.
        eapply been_computed; [exact R | apply Com, Cm, I | exact Zv]. }
      assert (Pre : exists seg, begins w2 = begins w ++ seg).
      { assert (Eq : begins w ++ Compute x :: b = begins w2 ++ Compute x2 :: b2) by congruence.
        destruct (prefix_of _ _ _ _ Eq) as [Q | (e & Q & _)]; [exact Q|]. exfalso.
        pose proof (All2 x Ix) as J. apply (until_not (set_of (window_front w)) p x); [apply has_set_of, Ix|].
        fold (begins w). rewrite Q. apply in_or_app. left. exact J. }
      destruct Pre as (seg & Pre).
      assert (Src2 : forall v, sources v = true -> is_input g v = true /\ been (begins w2) v = true).
      { intros v Q. destruct (Src v Q) as (Zv & Bv). split; [exact Zv|]. rewrite Pre. apply Been_more, Bv. }
      destruct (IH w2 (window_front w) rows' F' Od ltac:(intros; apply In_; right; assumption) Src2) as (rest & E3 & Rest).
      exists (seg ++ rest). split; [rewrite E3, Pre, <- app_assoc; reflexivity|].
      rewrite picks_app, sum_app, <- Pre. simpl sum. rewrite Z.mul_add_distr_l.
      assert (One_ : times * k <= sum charge (picks (extra g chosen) (begins w) seg)); [|simpl fst; lia].
      apply (window_shows w sources k carried seg rest Hw); auto.
      + rewrite E3, Pre, <- app_assoc. reflexivity.
      + intros v I. pose proof (All2 v I) as C. rewrite Pre in C. apply in_app_or in C. destruct C as [C | C]; [|exact C]. exfalso.
        apply computes_In in C. pose proof (Not v I) as Nv. unfold been in Nv. rewrite C in Nv. discriminate.
      + intros v j Iv Q Lj. eapply Paid; [apply In_; left; reflexivity | exact Iv | exact Q | exact Lj]. }
  assert (Rows : Forall2 (fun w kc => of_window sources w = Some kc) (w0 :: ws0) (rev_append l [])).
  { clear -Al. assert (Q : forall k acc l, fold_left (fun acc x => match acc, of_window sources x with Some ys, Some y => Some (y :: ys) | _, _ => None end) k (Some acc) = Some l ->
      exists new, l = rev new ++ acc /\ Forall2 (fun w kc => of_window sources w = Some kc) k new).
    { induction k as [|w k IH]; simpl; intros acc l0 H.
      - injection H as <-. exists []. split; [reflexivity | constructor].
      - destruct (of_window sources w) as [y |] eqn:E.
        + destruct (IH _ _ H) as (new & -> & F). exists (y :: new). simpl. rewrite <- app_assoc. split; [reflexivity | constructor; assumption].
        + exfalso. clear -H. induction k as [|w' k IH]; simpl in H; [discriminate | auto]. }
    destruct (Q _ _ _ Al) as (new & -> & F). rewrite rev_append_rev, !app_nil_r, rev_involutive. exact F. }
  assert (Hw0 : exists kc, of_window sources w0 = Some kc) by (inversion Rows; eauto). destruct Hw0 as (kc0 & Hw0).
  destruct (Valid w0 _ Hw0) as (NE0 & Fr0).
  destruct (begin_at w0 NE0 Fr0) as (_ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & Com0 & _).
  destruct (G ws0 w0 [] _ Rows Or (fun k c I => I)) as (rest & E & Main).
  { intros v Q. unfold sources in Q. apply andb_prop in Q. destruct Q as (Q & Zv). auto. }
  unfold events. rewrite E at 1. rewrite picks_app, sum_app. specialize (Zero [] (begins w0)). simpl app. lia.
Qed.

(* A flow of a window takes no more through a value than its words. *)
Lemma window_capacity : forall ws shown k carried v, of_windows ws = Some shown -> In (k, carried) shown ->
  In v (members P) -> get carried v <= words g v.
Proof.
  intros ws shown k carried v H I Iv. destruct ws as [|w ws]; [simpl in H; injection H as <-; destruct I|].
  unfold of_windows in H. destruct (in_order [] (w :: ws)); [|discriminate].
  destruct (all_of _ (w :: ws)) as [l |] eqn:Al; [|discriminate]. simpl in H. injection H as <-.
  rewrite rev_append_rev, app_nil_r, <- in_rev in I. apply all_of_spec in Al. destruct Al as (_ & Al).
  destruct (Al _ I) as (w' & _ & Hw). unfold of_window in Hw. destruct (follow g P (window_front w')).
  destruct (flow_of _ _ _); [|discriminate]. match type of Hw with (if ?c then _ else _) = _ => destruct c eqn:C; [|discriminate] end.
  apply andb_prop in C. destruct C as (_ & C). rewrite forallb_forall in C. specialize (C v Iv). apply andb_prop in C.
  destruct C as (C & _). apply Z.leb_le in C. injection Hw as _ <-. pose proof (positive g S v (members_below g P proper_P v Iv)).
  destruct (has _ v); lia.
Qed.
End Reloads.

(* Parts of this kind: they charge all that values exceed by which somebody in the piece reads. *)
Record reload_part := {
  reload_within : option (list N);
  reload_share : Z;
  reload_windows : list window  (* fronts by places in the piece *)
}.
Definition named_window (P : piece) (w : window) : option window :=
  option_map (fun l => {| window_front := l; window_edges := window_edges w; window_amounts := window_amounts w |})
    (named P (window_front w)).
Section Parts.
Variables (r : rules) (g : dag) (M : Z) (whole : piece) (readers : map (list N)).
Definition enter_reloads (pt : reload_part) : option (Z * list (row * Z)) :=
  match (match reload_within pt with None => Some whole
         | Some l => if rising 0 (size g) l then Some (cut g l) else None end) with
  | None => None
  | Some P =>
      match all_of (named_window P) (reload_windows pt) with
      | None => None
      | Some ws =>
          match of_windows r g M P (rev_append ws []) with
          | Some shown =>
              if 0 <=? reload_share pt then
                Some (reload_share pt * total fst shown,
                      spread (all_charges g readers (reload_share pt) (read_inside g P)
                                (most_carried (List.map snd shown))) (members P))
              else None
          | None => None
          end
      end
  end.
Hypothesis S : sound g.
Hypothesis some_memory : 0 <= M.
Hypothesis proper_whole : proper g whole.
Variables (p : list move) (t : state).
Hypothesis played : run r g M p (start g) = Some t.
Hypothesis ended : finished g t = true.
Theorem enter_reloads_sound : forall pt shown charges, enter_reloads pt = Some (shown, charges) ->
  2 * shown <= sum (charge_of charges) (events g (chosen readers) p)
  /\ (forall ra, In ra charges -> (fst (fst ra) < size g)%N /\ 0 <= snd ra).
Proof.
  intros pt shown charges H. unfold enter_reloads in H.
  destruct (match reload_within pt with None => Some whole | Some l => if rising 0 (size g) l then Some (cut g l) else None end)
    as [P |] eqn:EP; [|discriminate].
  assert (Pr : proper g P).
  { destruct (reload_within pt) as [l |]; [|injection EP as <-; exact proper_whole].
    destruct (rising 0 (size g) l) eqn:R; [|discriminate]. injection EP as <-. apply cut_proper, R. }
  destruct (all_of (named_window P) (reload_windows pt)) as [ws |]; [|discriminate].
  destruct (of_windows r g M P (rev_append ws [])) as [sh |] eqn:Ow; [|discriminate].
  destruct (0 <=? reload_share pt) eqn:Sp; [|discriminate]. apply Z.leb_le in Sp. injection H as <- <-.
  set (through := most_carried (List.map snd sh)). set (ac := all_charges g readers (reload_share pt) (read_inside g P) through).
  assert (B : forall ra, In ra (spread ac (members P)) -> (fst (fst ra) < size g)%N /\ 0 <= snd ra).
  { intros ra I. apply spread_In in I. destruct I as (v & I & J). unfold ac, all_charges in J.
    destruct (has (read_inside g P) v || (0 <? through v)); [|destruct J].
    pose proof (members_below g P Pr v I) as L. pose proof (positive g S v L). apply in_app_or in J. destruct J as [J | J].
    - destruct (costly g v); [|destruct J]. destruct J as [<- | []]. cbn [fst snd]. split; [exact L | nia].
    - apply in_map_iff in J. destruct J as (i & <- & _). cbn [fst snd]. split; [exact L | nia]. }
  split; [|exact B]. rewrite total_sum, Z.mul_assoc.
  apply (windows_sound r g M P S some_memory Pr (chosen readers) p t played ended _ _ _ _ Ow); [lia | |].
  - apply charge_of_nonneg. intros ra I. apply B, I.
  - intros k carried v j I Iv Q Lj. pose proof (window_capacity r g M P S Pr _ _ _ _ v Ow I Iv) as Cap.
    pose proof (positive g S v (members_below g P Pr v Iv)) as W.
    assert (Th : get carried v <= through v) by (apply most_carried_le, in_map_iff; exists (k, carried); auto).
    assert (In_ : has (read_inside g P) v || (0 <? through v) = true).
    { assert (E : (0 <? through v) = true) by (apply Z.ltb_lt; lia). rewrite E. apply orb_true_r. }
    assert (Two : 2 * reload_share pt * words g v <= charge_of (spread ac (members P)) (v, j + 1)%N).
    { apply charge_of_ge; [intros ra J; apply B, J|]. apply spread_In. exists v. split; [exact Iv|].
      unfold ac, all_charges. rewrite In_. apply in_or_app. right. apply in_map_iff. exists j. split; [reflexivity|].
      apply span_In. unfold last_stage in Lj. lia. }
    nia.
Qed.
End Parts.

(* THEOREM: all parts together, if their charges stay within what there is. Where values may be computed
   again, only loads after fronts count. What searches show comes as it is. *)
Theorem all_entries_sound : forall r g M whole readers staged l os rs denominator t1 c1 t2 c2 t3 c3 t4 c4 p,
  recompute r = false \/ (l = [] /\ os = []) -> sound g -> 0 <= M ->
  (forall v w, In w (chosen readers v) -> In v (operands g w) /\ (w < size g)%N) ->
  (staged = false -> forall v, chosen readers v = []) -> proper g whole ->
  (forall v, (v < size g)%N -> In v (members whole)) -> 0 < denominator ->
  sum_parts r g M whole readers staged l = Some (t1, c1) -> of_order r g M whole readers staged os = Some (t2, c2) ->
  gather (enter_reloads r g M whole readers) rs = Some (t3, c3) ->
  (2 * t4 <= sum (charge_of c4) (events g (chosen readers) p)
    /\ forall ra, In ra c4 -> (fst (fst ra) < size g)%N /\ 0 <= snd ra) ->
  limits g denominator (rev_append c4 (rev_append c3 (rev_append c2 c1))) = true ->
  wins r g M p -> compulsory g + Z.max 0 (- ((- (t1 + t2 + t3 + t4)) / denominator)) <= cost g p.
Proof.
  intros r g M whole readers staged l os rs d t1 c1 t2 c2 t3 c3 t4 c4 p O S HM R U W A D Q1 Q2 Q3 (A4 & B4) L (t & H & F).
  assert (R' : forall v w, In w (chosen readers v) -> In v (operands g w)) by (intros v w I; apply R, I).
  destruct (gather_sound g _ _ (events g (chosen readers) p)
    (enter_reloads_sound r g M whole readers S HM W p t H F) rs t3 c3 Q3) as (A3 & B3).
  assert (Rest : (2 * t1 <= sum (charge_of c1) (events g (chosen readers) p)
      /\ forall ra, In ra c1 -> (fst (fst ra) < size g)%N /\ 0 <= snd ra)
    /\ (2 * t2 <= sum (charge_of c2) (events g (chosen readers) p)
      /\ forall ra, In ra c2 -> (fst (fst ra) < size g)%N /\ 0 <= snd ra)).
  { destruct O as [O | (-> & ->)].
    - split; [eapply sum_parts_sound; eauto | eapply order_sound; eauto].
    - unfold sum_parts, gather in Q1. simpl in Q1. injection Q1 as <- <-. unfold of_order in Q2. simpl in Q2.
      injection Q2 as <- <-. split; (split; [rewrite sum_zero by reflexivity; reflexivity || (simpl; lia) | intros ra []]). }
  destruct Rest as ((A1 & B1) & (A2 & B2)).
  rewrite !rev_append_rev in L.
  apply (ledger r g M (chosen readers) p (charge_of (rev c4 ++ rev c3 ++ rev c2 ++ c1)) d (t1 + t2 + t3 + t4) S); auto.
  - exists t. auto.
  - rewrite (sum_ext _ _ (fun e => charge_of c4 e + (charge_of c3 e + (charge_of c2 e + charge_of c1 e)))), !sum_plus; [lia|].
    intros e _. rewrite !charge_of_app, !charge_of_rev. reflexivity.
  - intros v i Lv. eapply limits_sound; eauto. intros ra I. rewrite !in_app_iff, <- !in_rev in I.
    destruct I as [I | [I | [I | I]]]; auto.
Qed.
