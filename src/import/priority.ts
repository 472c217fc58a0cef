/** Words for priorities in common languages, by our number: 1 urgent to 4 low, 0 none. */
const WORDS: Record<number, string> = {
  1: `urgent highest critical blocker blocking immediate emergency showstopper asap severe
    dringend sofort kritisch höchste hoechste urgente critique bloquant crítica crítico critica
    critico bloqueante pilny pilne krytyczny срочный срочно критический 緊急 紧急 最高 긴급`,
  2: `high higher major important hoch wichtig haute haut élevée elevee élevé importante alta alto
    hoog belangrijk wysoki wysoka ważny высокий высокая важный 高 높음`,
  3: `medium normal moderate middle average mid med standard default mittel moyenne moyen normale
    media medio média médio gemiddeld normaal średni średnia normalny средний средняя обычный
    中 普通 보통`,
  4: `low lower lowest minor trivial minimal someday niedrig niedrigste gering basse bas faible
    mineure baja bajo bassa basso baixa baixo laag niski niska низкий низкая 低 最低 낮음`,
  0: `none no unset undefined unprioritized keine kein ohne aucune aucun ninguna ninguno nenhuma
    nessuna geen brak нет 无 無 なし 없음`,
}

const NUMBERS = new Map(
  Object.entries(WORDS).flatMap(([number, words]) =>
    words.split(/\s+/).map((word) => [word, Number(number)] as const),
  ),
)

const LEVEL = /^(?:p|prio|priority|s|sev|severity)?[\s_#-]*(\d)$/

/**
 * What each priority of a source means here, from 0 to 4; undefined if that is unknown. P1 is urgent
 * if there is no P0, so all of them are looked at together.
 */
export function proposePriorities(
  priorities: readonly (string | number)[],
): Map<string | number, number | undefined> {
  const words = priorities.filter((priority) => typeof priority === 'string')
  const startsAtZero = words.some((word) => levelOf(word) === 0)
  return new Map(
    priorities.map((priority) => [
      priority,
      typeof priority === 'number' ? priority : meaningOf(priority, startsAtZero),
    ]),
  )
}

function levelOf(word: string): number | undefined {
  const [, level] = LEVEL.exec(word.trim().toLowerCase()) ?? []
  return level === undefined ? undefined : Number(level)
}

function meaningOf(word: string, startsAtZero: boolean): number | undefined {
  const level = levelOf(word)
  if (level !== undefined) return Math.min(level + (startsAtZero ? 1 : 0), 4)
  const parts = word.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []
  const meanings = parts.map((part) => NUMBERS.get(part)).filter((one) => one !== undefined)
  const isVery = /^(very|sehr|très|muy|molto|muito|zeer|bardzo|очень)$/.test(parts[0] ?? '')
  if (isVery && meanings[0] === 2) return 1
  return meanings[0]
}
