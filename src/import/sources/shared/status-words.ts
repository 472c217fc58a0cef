const DONE =
  /^(?:(?:✅|☑️?|✔️?)\s*)?(?:done|completed?|closed|finished|resolved|fixed|shipped|released|merged|canceled|cancelled|won'?t (?:do|fix)|duplicate|archived|erledigt|fertig|abgeschlossen|geschlossen|gelöst|terminée?|fini|fermée?|résolu|hech[oa]|cerrad[oa]|completad[oa]|finalizad[oa]|terminad[oa]|resuelt[oa]|listo|finalizada|conclu[ií]d[oa]|feito|fechad[oa]|fatto|chius[oa]|completat[oa]|gereed|klaar|voltooid|afgerond|gotowe|zamknięte|zakończone|完了|已完成|完成|готово|выполнено|закрыто)(?:\s*(?:✅|☑️?|✔️?|🎉|🙌))?$/iu

/** Whether a status means that a task is finished, in several languages. */
export const isDoneWord = (status: string): boolean => DONE.test(status.trim())
