(* Checks sums of moments that share loads and stores, stage by stage (P1, P2, P5). *)
Require Import List NArith ZArith Bool Lia.
From RedBlue Require Import Game Plays Compulsory Maps Dags Pieces Moments Fronts.
Import ListNotations.
Open Scope Z_scope.

(* How a part uses up what values exceed the compulsory words by: as a moment, by what goes through
   each value, with values of which all is charged to stores, or nothing; or all of it. *)
Inductive use := Moment (stored loaded : list N) | All.
(* A front in a piece: the front, and the first vertices of its cases, by their places there. *)
Record part := {
  within : option (list N);     (* the piece's vertices, rising; None for all *)
  share : Z;
  usage : use;
  alone : bool;                 (* whether the front is one vertex whose operands do not count *)
  part_price : Z;
  front : list N;
  cases : list case
}.

Definition row_eqb (a b : row) : bool := (fst a =? fst b)%N && (snd a =? snd b)%N.
Definition charge_of (l : list (row * Z)) (e : row) : Z := sum (fun ra => if row_eqb (fst ra) e then snd ra else 0) l.
Lemma row_eqb_eq : forall a b, row_eqb a b = true <-> a = b.
Proof.
  intros (a & b) (c & d). unfold row_eqb. simpl. rewrite andb_true_iff, !N.eqb_eq. split.
  - intros (-> & ->). reflexivity.
  - intros E. injection E as -> ->. auto.
Qed.
Lemma charge_of_ge : forall l e a, (forall ra, In ra l -> 0 <= snd ra) -> In (e, a) l -> a <= charge_of l e.
Proof.
  intros l e a. unfold charge_of. induction l as [|x l IH]; simpl; intros P I; [destruct I|].
  assert (Q : 0 <= charge_of l e).
  { unfold charge_of. apply sum_nonneg. intros y J. destruct (row_eqb (fst y) e); [apply P; auto | lia]. }
  unfold charge_of in Q. destruct I as [-> | I].
  - simpl. assert (E : row_eqb e e = true) by (apply row_eqb_eq; reflexivity). rewrite E. lia.
  - assert (a <= sum (fun ra => if row_eqb (fst ra) e then snd ra else 0) l) by (apply IH; auto).
    assert (0 <= snd x) by (apply P; auto). destruct (row_eqb (fst x) e); lia.
Qed.
Lemma charge_of_nonneg : forall l, (forall ra, In ra l -> 0 <= snd ra) -> forall e, 0 <= charge_of l e.
Proof.
  intros l P e. apply sum_nonneg. intros x I. destruct (row_eqb (fst x) e); [apply P; exact I | lia].
Qed.

Definition named (P : piece) (l : list N) : option (list N) :=
  if rising 0 (places P) l then option_map (fun vs => rev_append vs []) (all_of (find (vertex_at P)) l) else None.
Definition named_case (P : piece) (c : case) : option case :=
  option_map (fun l => {| first := l; edges := edges c; amounts := amounts c; closures := closures c;
                          returns := returns c |}) (named P (first c)).
Definition span (lo hi : N) : list N := List.map (fun k => lo + N.of_nat k)%N (seq 0 (N.to_nat (hi + 1 - lo))).
Lemma span_In : forall lo hi i, (lo <= i <= hi)%N -> In i (span lo hi).
Proof.
  intros lo hi i L. unfold span. apply in_map_iff. exists (N.to_nat (i - lo)). split; [lia|]. apply in_seq. lia.
Qed.

Section Ledger.
Variables (r : rules) (g : dag) (M : Z) (whole : piece) (readers : map (list N)) (staged : bool).
Definition chosen (v : N) : list N := match find readers v with Some l => l | None => [] end.

(* The stages in which the first of a front may be computed, of a value. *)
Definition in_stages (above under : N -> bool) : (N -> bool) * (N -> bool) :=
  if staged then (above, under) else (fun _ => false, fun _ => false).
Definition kin (f : list N) : (N -> bool) * (N -> bool) := in_stages (common g whole f) (has (fst (follow g whole f))).
Definition halves (stored loaded : map unit) (v : N) : Z :=
  if costly g v then if has loaded v then 0 else if has stored v then 2 else 1 else 0.
Definition moment_charges (s : Z) (q1 q2 : map unit) (before after : N -> bool) (through : N -> Z) (v : N) : list (row * Z) :=
  let a := through v in
  if 0 <? a then
    let h := halves q1 q2 v in
    (if 0 <? h then [((v, 0%N), s * h * a)] else [])
    ++ (if h <? 2 then List.map (fun i => ((v, i + 1)%N, s * (2 - h) * a))
          (span (stage_first chosen before v) (stage_last chosen after v)) else [])
  else [].
Definition all_charges (s : Z) (read : map unit) (through : N -> Z) (v : N) : list (row * Z) :=
  if has read v || (0 <? through v) then
    (if costly g v then [((v, 0%N), 2 * s * words g v)] else [])
    ++ List.map (fun i => ((v, i + 1)%N, 2 * s * words g v)) (span 0 (N.of_nat (length (chosen v))))
  else [].
Definition read_inside (P : piece) : map unit :=
  fold_left (fun s v => insert_all (inner g P v) s) (members P) (empty unit).

(* A part's words times its share, and its charges in half words. *)
Definition enter (pt : part) : option (Z * list (row * Z)) :=
  let P := match within pt with None => Some whole
           | Some l => if rising 0 (size g) l then Some (cut g l) else None end in
  match P with None => None | Some P =>
  match named P (front pt), all_of (named_case P) (cases pt) with
  | Some f, Some cs =>
      match of_front r g M P (part_price pt) f cs with
      | Some (least, flows) =>
          if (0 <=? share pt) && (0 <=? part_price pt) && (part_price pt <=? 2)
             && (negb (alone pt) || match f with [_] => true | _ => false end) then
            let free := if alone pt then match f with [x] => set_of (operands g x) | _ => empty unit end else empty unit in
            let through := fun v => if has free v then 0 else most_carried flows v in
            match usage pt with
            | Moment q1 q2 =>
                match named P q1, named P q2 with
                | Some l1, Some l2 =>
                    if forallb (costly g) l1 && forallb (costly g) l2 then
                      let (before, after) := kin f in
                      Some (share pt * Z.max 0 least,
                            spread (moment_charges (share pt) (set_of l1) (set_of l2) before after through) (members P))
                    else None
                | _, _ => None
                end
            | All => Some (share pt * Z.max 0 least, spread (all_charges (share pt) (read_inside P) through) (members P))
            end
          else None
      | None => None
      end
  | _, _ => None
  end end.

Hypothesis once : recompute r = false.
Hypothesis S : sound g.
Hypothesis some_memory : 0 <= M.
Hypothesis readers_read : forall v w, In w (chosen v) -> In v (operands g w).
Hypothesis unstaged : staged = false -> forall v, chosen v = [].
Hypothesis proper_whole : proper g whole.
Variables (p : list move) (t : state).
Hypothesis played : run r g M p (start g) = Some t.
Hypothesis ended : finished g t = true.

Lemma stages_of_kin : forall f v i, (stage_first chosen (common g whole f) v <= i
     <= stage_last chosen (has (fst (follow g whole f))) v)%N ->
  (stage_first chosen (fst (kin f)) v <= i <= stage_last chosen (snd (kin f)) v)%N.
Proof.
  intros f v i H. unfold kin, in_stages. destruct staged eqn:E; [exact H|].
  unfold stage_first, stage_last in *. rewrite (unstaged eq_refl v) in *. exact H.
Qed.
Lemma capacity : forall P price f cs least flows v, proper g P -> 0 <= price <= 2 -> of_front r g M P price f cs = Some (least, flows) ->
  In v (members P) -> most_carried flows v <= words g v * price_of g v.
Proof.
  intros P price f cs least flows v Pr Pp H I. unfold of_front in H. destruct (follow g P f) as (after & firsts).
  match type of H with (if ?c then _ else _) = _ => destruct c; [|discriminate] end.
  destruct (all_of _ cs) as [shown |] eqn:Sh; [|discriminate]. injection H as _ <-.
  apply all_of_spec in Sh. destruct Sh as (_ & Sh). unfold most_carried.
  pose proof (positive g S v (members_below g P Pr v I)) as W.
  assert (Q : 1 <= price_of g v <= 2) by (unfold price_of; destruct (costly g v); lia).
  assert (Fl : forall m, In m (List.map snd shown) -> get m v <= words g v * price_of g v).
  { intros m J. apply in_map_iff in J. destruct J as ((vs & m') & <- & J). simpl. destruct (Sh _ J) as (c & _ & Oc).
    unfold of_case in Oc. destruct (flow_of P (edges c) (amounts c)); [|discriminate].
    destruct (flow_of P (closures c) (returns c)); [|discriminate].
    match type of Oc with (if ?c then _ else _) = _ => destruct c eqn:C; [|discriminate] end.
    apply andb_prop in C. destruct C as (_ & C). rewrite forallb_forall in C. specialize (C v I).
    apply andb_prop in C. destruct C as (C & _). apply Z.leb_le in C. injection Oc as _ <-. nia. }
  assert (G : forall l a, a <= words g v * price_of g v -> (forall m, In m l -> get m v <= words g v * price_of g v) ->
      fold_left (fun most m => Z.max most (get m v)) l a <= words g v * price_of g v).
  { induction l as [|m l IH]; simpl; intros a A B; [exact A|]. apply IH; [|auto]. specialize (B m (or_introl eq_refl)). lia. }
  apply G; [nia | exact Fl].
Qed.

(* THEOREM P1, P2 and P5 of one part: what it shows, its charges pay for. *)
Theorem enter_sound : forall pt shown charges, enter pt = Some (shown, charges) ->
  2 * shown <= sum (charge_of charges) (events g chosen p)
  /\ (forall ra, In ra charges -> (fst (fst ra) < size g)%N /\ 0 <= snd ra).
Proof.
  intros pt shown charges H. unfold enter in H.
  destruct (match within pt with None => Some whole | Some l => if rising 0 (size g) l then Some (cut g l) else None end)
    as [P |] eqn:EP; [|discriminate].
  assert (Pr : proper g P).
  { destruct (within pt) as [l |]; [|injection EP as <-; exact proper_whole].
    destruct (rising 0 (size g) l) eqn:R; [|discriminate]. injection EP as <-. apply cut_proper, R. }
  destruct (named P (front pt)) as [f |]; [|discriminate].
  destruct (all_of (named_case P) (cases pt)) as [cs |]; [|discriminate].
  destruct (of_front r g M P (part_price pt) f cs) as [(least & flows) |] eqn:Fr; [|discriminate].
  match type of H with (if ?c then _ else _) = _ => destruct c eqn:C; [|discriminate] end.
  apply andb_prop in C. destruct C as (C & Al). apply andb_prop in C. destruct C as (C & Hi).
  apply andb_prop in C. destruct C as (Sh & Lo). apply Z.leb_le in Sh, Lo, Hi.
  set (free := if alone pt then match f with [x] => set_of (operands g x) | _ => empty unit end else empty unit) in *.
  set (through := fun v => if has free v then 0 else most_carried flows v) in *.
  assert (Al' : alone pt = true -> exists x, f = [x]).
  { intros E. rewrite E in Al. simpl in Al. destruct f as [|x [|]]; try discriminate. eauto. }
  assert (Free : forall v, (alone pt = false \/ forall x, In x f -> ~ In v (operands g x)) -> through v = most_carried flows v).
  { intros v [E | N]; unfold through, free.
    - rewrite E, has_empty. reflexivity.
    - destruct (alone pt) eqn:E; [|rewrite has_empty; reflexivity]. destruct (Al' eq_refl) as (x & ->).
      destruct (has (set_of (operands g x)) v) eqn:Q; [|reflexivity]. apply has_set_of in Q.
      destruct (N x (or_introl eq_refl) Q). }
  assert (Key : forall l, (forall ra, In ra l -> 0 <= snd ra) ->
    (forall v i, In v (members P) -> 0 < through v ->
       (stage_first chosen (common g whole f) v <= i <= stage_last chosen (has (fst (follow g whole f))) v)%N ->
       2 * share pt * through v <= (if costly g v then charge_of l (v, 0%N) else 0) + charge_of l (v, i + 1)%N) ->
    2 * (share pt * Z.max 0 least) <= sum (charge_of l) (events g chosen p)).
  { intros l P0 K. rewrite Z.mul_assoc.
    apply (front_charges r g M chosen once S some_memory readers_read p t played ended P whole Pr
      (alone pt) (part_price pt) f cs least flows); auto; try lia.
    - apply charge_of_nonneg, P0.
    - intros v i I N T L. rewrite <- (Free v N) in *. apply K; auto. }
  destruct (usage pt) as [q1 q2 |].
  - destruct (named P q1) as [l1 |]; [|discriminate]. destruct (named P q2) as [l2 |]; [|discriminate].
    destruct (forallb (costly g) l1 && forallb (costly g) l2); [|discriminate].
    destruct (kin f) as (before & after) eqn:Ki. injection H as <- <-.
    set (mc := moment_charges (share pt) (set_of l1) (set_of l2) before after through).
    assert (Hv : forall v, 0 <= halves (set_of l1) (set_of l2) v <= 2 /\ (0 < halves (set_of l1) (set_of l2) v -> costly g v = true)).
    { intros v. unfold halves. destruct (costly g v); [|split; [lia | intros; exfalso; lia]].
      destruct (has _ v); [split; [lia | reflexivity]|]. destruct (has _ v); (split; [lia | reflexivity]). }
    assert (B : forall ra, In ra (spread mc (members P)) -> (fst (fst ra) < size g)%N /\ 0 <= snd ra).
    { intros ra I. apply spread_In in I. destruct I as (v & I & J). unfold mc, moment_charges in J.
      destruct (0 <? through v) eqn:T; [|destruct J]. apply Z.ltb_lt in T. destruct (Hv v) as (Hh & _).
      pose proof (members_below g P Pr v I) as L. apply in_app_or in J. destruct J as [J | J].
      - destruct (0 <? halves _ _ v); [|destruct J]. destruct J as [<- | []]. cbn [fst snd].
        split; [exact L|]. apply Z.mul_nonneg_nonneg; [apply Z.mul_nonneg_nonneg; lia | lia].
      - destruct (halves _ _ v <? 2); [|destruct J]. apply in_map_iff in J. destruct J as (i & <- & _).
        cbn [fst snd]. split; [exact L|]. apply Z.mul_nonneg_nonneg; [apply Z.mul_nonneg_nonneg; lia | lia]. }
    split; [|exact B]. apply Key; [intros ra I; apply B, I|].
    intros v i I T L. apply stages_of_kin in L. rewrite Ki in L. simpl in L. destruct (Hv v) as (Hh & Hc).
    set (h := halves (set_of l1) (set_of l2) v) in *. apply Z.ltb_lt in T.
    assert (One : 0 < h -> share pt * h * through v <= charge_of (spread mc (members P)) (v, 0%N)).
    { intros Q. apply charge_of_ge; [intros ra J; apply B, J|]. apply spread_In. exists v. split; [exact I|].
      unfold mc, moment_charges. rewrite T. fold h. apply Z.ltb_lt in Q. rewrite Q. left; reflexivity. }
    assert (Two : h < 2 -> share pt * (2 - h) * through v <= charge_of (spread mc (members P)) (v, i + 1)%N).
    { intros Q. apply charge_of_ge; [intros ra J; apply B, J|]. apply spread_In. exists v. split; [exact I|].
      unfold mc, moment_charges. rewrite T. fold h. apply Z.ltb_lt in Q. rewrite Q. apply in_or_app. right.
      apply in_map_iff. exists i. split; [reflexivity | apply span_In; exact L]. }
    pose proof (charge_of_nonneg (spread mc (members P)) (fun ra J => proj2 (B ra J))) as NN.
    apply Z.ltb_lt in T.
    assert (Cases : h = 0 \/ h = 1 \/ h = 2) by lia. destruct Cases as [E | [E | E]]; rewrite E in *.
    + specialize (Two ltac:(lia)). pose proof (NN (v, 0%N)). destruct (costly g v); lia.
    + specialize (One ltac:(lia)). specialize (Two ltac:(lia)). rewrite (Hc ltac:(lia)). lia.
    + specialize (One ltac:(lia)). rewrite (Hc ltac:(lia)). pose proof (NN (v, i + 1)%N). lia.
  - injection H as <- <-. set (ac := all_charges (share pt) (read_inside P) through).
    assert (B : forall ra, In ra (spread ac (members P)) -> (fst (fst ra) < size g)%N /\ 0 <= snd ra).
    { intros ra I. apply spread_In in I. destruct I as (v & I & J). unfold ac, all_charges in J.
      destruct (has (read_inside P) v || (0 <? through v)); [|destruct J].
      pose proof (members_below g P Pr v I) as L. pose proof (positive g S v L). apply in_app_or in J. destruct J as [J | J].
      - destruct (costly g v); [|destruct J]. destruct J as [<- | []]. cbn [fst snd]. split; [exact L | nia].
      - apply in_map_iff in J. destruct J as (i & <- & _). cbn [fst snd]. split; [exact L | nia]. }
    split; [|exact B]. apply Key; [intros ra I; apply B, I|].
    intros v i I T L. pose proof (members_below g P Pr v I) as Lv. pose proof (positive g S v Lv) as W.
    assert (Cap : through v <= words g v * price_of g v).
    { unfold through. destruct (has free v); [unfold price_of; destruct (costly g v); nia|].
      eapply capacity; eauto. }
    assert (In_ : has (read_inside P) v || (0 <? through v) = true).
    { apply Z.ltb_lt in T. rewrite T. apply orb_true_r. }
    assert (Two : 2 * share pt * words g v <= charge_of (spread ac (members P)) (v, i + 1)%N).
    { apply charge_of_ge; [intros ra J; apply B, J|]. apply spread_In. exists v. split; [exact I|].
      unfold ac, all_charges. rewrite In_. apply in_or_app. right. apply in_map_iff. exists i. split; [reflexivity|].
      apply span_In. split; [lia|]. destruct L as (_ & L). unfold stage_last in L.
      pose proof (filter_length_le (fun w => negb (has (fst (follow g whole f)) w)) (fun _ => true) (chosen v) (fun _ _ _ => eq_refl)) as Q.
      assert (Id : filter (fun _ : N => true) (chosen v) = chosen v) by (clear; induction (chosen v); simpl; congruence).
      rewrite Id in Q. lia. }
    destruct (costly g v) eqn:Co; unfold price_of in Cap; rewrite Co in Cap; [|nia].
    assert (One : 2 * share pt * words g v <= charge_of (spread ac (members P)) (v, 0%N)).
    { apply charge_of_ge; [intros ra J; apply B, J|]. apply spread_In. exists v. split; [exact I|].
      unfold ac, all_charges. rewrite In_, Co. left; reflexivity. }
    nia.
Qed.

(* The sum of all parts. *)
Definition limits (denominator : Z) (charges : list (row * Z)) : bool :=
  let key := fun ra : row * Z => (fst (fst ra) + snd (fst ra) * size g)%N in
  let m := totals key snd charges (empty Z) in
  forallb (fun ra => get m (key ra) <=? 2 * denominator * words g (fst (fst ra))) charges.
Definition gather {A : Type} (enter_ : A -> option (Z * list (row * Z))) (l : list A) : option (Z * list (row * Z)) :=
  fold_left (fun acc pt => match acc, enter_ pt with
    | Some (total, charges), Some (shown, more) => Some (total + shown, rev_append more charges)
    | _, _ => None end) l (Some (0, [])).
Definition sum_parts (l : list part) : option (Z * list (row * Z)) := gather enter l.

Lemma charge_of_app : forall a b e, charge_of (a ++ b) e = charge_of a e + charge_of b e.
Proof. intros. apply sum_app. Qed.
Lemma charge_of_rev : forall a e, charge_of (rev a) e = charge_of a e.
Proof.
  intros a e. induction a as [|x a IH]; [reflexivity|]. simpl rev. rewrite charge_of_app, IH.
  unfold charge_of. simpl. lia.
Qed.
Lemma gather_sound : forall A (enter_ : A -> option (Z * list (row * Z))) (E : list row),
  (forall pt shown charges, enter_ pt = Some (shown, charges) ->
     2 * shown <= sum (charge_of charges) E /\ forall ra, In ra charges -> (fst (fst ra) < size g)%N /\ 0 <= snd ra) ->
  forall l total charges, gather enter_ l = Some (total, charges) ->
  2 * total <= sum (charge_of charges) E /\ forall ra, In ra charges -> (fst (fst ra) < size g)%N /\ 0 <= snd ra.
Proof.
  intros A enter_ E0 Sound l total charges. unfold gather.
  set (op := fun acc pt => match acc, enter_ pt with
    | Some (total, charges), Some (shown, more) => Some (total + shown, rev_append more charges)
    | _, _ => None end).
  assert (None_ : forall l, fold_left op l None = None) by (induction l0; simpl; auto).
  assert (G : forall l a c, (2 * a <= sum (charge_of c) E0
      /\ forall ra, In ra c -> (fst (fst ra) < size g)%N /\ 0 <= snd ra) ->
    fold_left op l (Some (a, c)) = Some (total, charges) ->
    2 * total <= sum (charge_of charges) E0
    /\ (forall ra, In ra charges -> (fst (fst ra) < size g)%N /\ 0 <= snd ra)).
  { clear l. induction l as [|pt l IH]; intros a c (A1 & B) H.
    - simpl in H. injection H as <- <-. auto.
    - cbn [fold_left] in H. assert (Step : op (Some (a, c)) pt = match enter_ pt with
        Some (shown, more) => Some (a + shown, rev_append more c) | None => None end) by reflexivity.
      rewrite Step in H. destruct (enter_ pt) as [(shown & more) |] eqn:E; [|rewrite None_ in H; discriminate].
      apply Sound in E. destruct E as (E & F). eapply IH; [|exact H]. rewrite rev_append_rev. split.
      + rewrite (sum_ext _ _ (fun e => charge_of more e + charge_of c e)), sum_plus; [lia|].
        intros e _. rewrite charge_of_app, charge_of_rev. reflexivity.
      + intros ra I. apply in_app_or in I. destruct I as [I | I]; [apply F, in_rev, I | auto]. }
  apply G. split; [|intros ra []]. rewrite sum_zero by reflexivity. lia.
Qed.
Lemma sum_parts_sound : forall l total charges, sum_parts l = Some (total, charges) ->
  2 * total <= sum (charge_of charges) (events g chosen p)
  /\ (forall ra, In ra charges -> (fst (fst ra) < size g)%N /\ 0 <= snd ra).
Proof. intros l. apply gather_sound. exact enter_sound. Qed.
Lemma limits_sound : forall denominator charges, 0 < denominator ->
  (forall ra, In ra charges -> (fst (fst ra) < size g)%N /\ 0 <= snd ra) -> limits denominator charges = true ->
  forall v i, (v < size g)%N -> charge_of charges (v, i) <= 2 * denominator * words g v.
Proof.
  intros d charges D B H v i L. unfold limits in H. rewrite forallb_forall in H.
  set (key := fun ra : row * Z => (fst (fst ra) + snd (fst ra) * size g)%N) in *.
  pose proof (positive g S v L) as W.
  destruct (existsb (fun ra => row_eqb (fst ra) (v, i)) charges) eqn:E.
  - apply existsb_exists in E. destruct E as (((v' & i') & a) & I & Q). apply row_eqb_eq in Q. simpl in Q.
    injection Q as -> ->. specialize (H _ I). rewrite get_totals, get_empty in H. apply Z.leb_le in H. simpl fst in H at 2.
    eapply Z.le_trans; [|exact H]. unfold charge_of. rewrite Z.add_0_l. apply sum_le. intros ((w & j) & b) J.
    destruct (B _ J) as (Lw & Nb). simpl in Lw, Nb. unfold row_eqb, key. simpl.
    destruct (N.eqb_spec w v) as [-> | _]; simpl.
    + destruct (N.eqb_spec j i) as [-> | _]; [rewrite N.eqb_refl; lia|]. destruct (_ =? _)%N; lia.
    + destruct (_ =? _)%N; lia.
  - assert (Z : charge_of charges (v, i) = 0); [|nia]. apply sum_zero. intros ra I.
    destruct (row_eqb (fst ra) (v, i)) eqn:Q; [|reflexivity]. exfalso.
    assert (existsb (fun ra => row_eqb (fst ra) (v, i)) charges = true) by (apply existsb_exists; eauto). congruence.
Qed.
End Ledger.
Lemma charge_of_spread : forall A (f : A -> list (row * Z)) l e, charge_of (spread f l) e = sum (fun y => charge_of (f y) e) l.
Proof.
  intros A f l e. unfold spread.
  assert (G : forall l acc, charge_of (fold_left (fun acc x => rev_append (f x) acc) l acc) e = charge_of acc e + sum (fun y => charge_of (f y) e) l).
  { induction l0 as [|y k IH]; intros acc; cbn [fold_left sum]; [lia|]. rewrite IH, rev_append_rev, charge_of_app, charge_of_rev. lia. }
  rewrite G. reflexivity.
Qed.

(* THEOREM: a sum of parts whose charges stay within what there is bounds the cost of every play. *)
Theorem parts_sound : forall r g M whole readers staged l denominator total charges p,
  recompute r = false -> sound g -> 0 <= M ->
  (forall v w, In w (chosen readers v) -> In v (operands g w)) ->
  (staged = false -> forall v, chosen readers v = []) -> proper g whole -> 0 < denominator ->
  sum_parts r g M whole readers staged l = Some (total, charges) -> limits g denominator charges = true ->
  wins r g M p -> compulsory g + Z.max 0 (- ((- total) / denominator)) <= cost g p.
Proof.
  intros r g M whole readers staged l d total charges p O S HM R U W D Q L (t & H & F).
  destruct (sum_parts_sound r g M whole readers staged O S HM R U W p t H F l total charges Q) as (A & B).
  apply (ledger r g M (chosen readers) p (charge_of charges) d total S); auto.
  - exists t. auto.
  - intros v i Lv. eapply limits_sound; eauto.
Qed.
