export const SECTION_ROLES = ['intake', 'committed', 'building', 'verify', 'done'] as const
export type SectionRole = (typeof SECTION_ROLES)[number]

/**
 * Phrases that reveal a role. They match whole words in this order: "ready for review" is a review,
 * "not done" is not done.
 */
const WORDS: readonly (readonly [SectionRole, string])[] = [
  ['committed', 'not done,not started,to be done,undone,to do,todo,sprint backlog,ready for dev'],
  ['committed', 'ready for development,selected for development,ready to start,up next,next up'],
  ['committed', 'unfinished,incomplete,uncompleted,unresolved'],
  ['verify', 'almost,nearly,unreleased,unpublished,unmerged,undelivered'],
  ['verify', 'ready for release,ready to release,ready to ship,ready to deploy,to be released'],
  ['verify', 'review,reviewing,in review,test,testing,tests,qa,qc,verify,verifying,verification'],
  ['verify', 'validate,validation,staging,acceptance,uat,approval,check,checking,proofreading'],
  ['done', 'done,shipped,complete,completed,closed,released,live,finished,resolved,deployed'],
  ['done', 'delivered,published,merged,accepted,archive,archived,cancelled,canceled,wont do'],
  ['done', 'won t do,rejected,duplicate,duplicates'],
  ['building', 'doing,in progress,progress,building,build,wip,in work,working,working on,active'],
  ['building', 'developing,development,in dev,dev,implementing,implementation,started,drafting'],
  ['building', 'writing,ongoing,current,blocked,waiting,on hold'],
  ['intake', 'backlog,inbox,ideas,idea,intake,triage,new,incoming,requests,requested,wishlist'],
  [
    'intake',
    'wish list,icebox,someday,maybe,later,suggestions,proposed,proposals,unsorted,reported',
  ],
  ['committed', 'next,ready,planned,planning,committed,selected,queued,queue,scheduled,open'],
  ['committed', 'today,this week,prioritised,prioritized,approved,upcoming,soon'],
]

const PHRASES = WORDS.flatMap(([role, list]) =>
  list.split(',').map((phrase) => [role, ` ${phrase} `] as const),
)

/** The role that the words of a title reveal. */
export function roleFromTitle(title: string): SectionRole | undefined {
  const words = ` ${
    title
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  } `
  const [role, phrase] = PHRASES.find(([, phrase]) => words.includes(phrase)) ?? []
  return role === 'done' ? doneUnlessNegated(title, words, phrase!) : role
}

/** Words before or after "done" which mean that the work is not done yet. */
const NEGATIONS = /\b(not|never|isn t|aren t|non|without)\b/
const BEFORE =
  /\b(to|can|may|should|will|half|partly|partially|mostly|ready|going|awaiting|waiting|pending|needs?|until|till|before|when|once|if)\b/
const AFTER = /\b(soon|next|later|tomorrow|tonight)\b/
const PERCENT = /(\d+)\s*%/

/** "Half done", "done soon", "90% done" and "to be closed" mean almost done. */
function doneUnlessNegated(title: string, words: string, phrase: string): SectionRole {
  const at = words.indexOf(phrase)
  const before = words.slice(0, at)
  if (NEGATIONS.test(before)) return 'committed'
  const percent = PERCENT.exec(title)?.[1]
  const isPart = percent !== undefined && Number(percent) < 100
  const isComing = BEFORE.test(before) || AFTER.test(words.slice(at + phrase.length - 1))
  return isPart || isComing ? 'verify' : 'done'
}

/** Guesses a role from the title, else from the position between left (intake) and right (done). */
export function guessRole(title: string, position: number, total: number): SectionRole {
  const fromTitle = roleFromTitle(title)
  if (fromTitle) return fromTitle
  if (position === 0) return 'intake'
  if (position === total - 1 && total > 2) return 'done'
  const between = total - 2
  const step = between < 2 ? 1 : Math.floor(((position - 1) * 3) / between)
  return SECTION_ROLES[step + 1]!
}

interface Column {
  title: string
  role?: SectionRole
  is_done?: boolean | null
}

/**
 * Guesses the roles of a new board's sections. The last one counts as done by position only if no
 * other is done.
 */
export function guessRoles(columns: readonly Column[]): SectionRole[] {
  const known = columns.map(
    ({ title, role, is_done }) => role ?? roleFromTitle(title) ?? (is_done ? 'done' : undefined),
  )
  const finished = columns.some(({ is_done }, i) => is_done || known[i] === 'done')
  return columns.map(({ title, is_done }, i) => {
    const guess = known[i] ?? guessRole(title, i, columns.length)
    return guess === 'done' && !known[i] && (finished || is_done === false) ? 'verify' : guess
  })
}

/**
 * A section added later never counts as done by position: its tasks would be completed without
 * anybody asking.
 */
export function guessRoleOfAdded(title: string, position: number, total: number): SectionRole {
  const guess = guessRole(title, position, total)
  return guess === 'done' && !roleFromTitle(title) ? 'verify' : guess
}

/** Whether a section without an explicit setting counts as done. */
export const guessDone = (title: string, role: SectionRole) =>
  role === 'done' || roleFromTitle(title) === 'done'

/**
 * A renamed section takes the role of its new title, unless its role differed from the old title.
 */
export function roleAfterRename(from: { title: string; role: SectionRole }, title: string) {
  const before = roleFromTitle(from.title)
  const follows = before === undefined || before === from.role
  return (follows && roleFromTitle(title)) || from.role
}
