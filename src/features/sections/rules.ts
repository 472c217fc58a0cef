export const SECTION_ROLES = ['intake', 'committed', 'building', 'verify', 'done'] as const
export type SectionRole = (typeof SECTION_ROLES)[number]

/** Whole words, tried from the top: "ready for review" is a review, "not done" is not done. */
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

/** The role that a title says in so many words. */
export function roleSaid(title: string): SectionRole | undefined {
  const words = ` ${
    title
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  } `
  const [role, phrase] = PHRASES.find(([, phrase]) => words.includes(phrase)) ?? []
  return role === 'done' ? doneOrNot(title, words, phrase!) : role
}

/** Words before "done" that say that it is not there yet, and words after it. */
const NEGATIONS = /\b(not|never|isn t|aren t|non|without)\b/
const BEFORE =
  /\b(to|can|may|should|will|half|partly|partially|mostly|ready|going|awaiting|waiting|pending|needs?|until|till|before|when|once|if)\b/
const AFTER = /\b(soon|next|later|tomorrow|tonight)\b/
const PERCENT = /(\d+)\s*%/

/** "Half done", "done soon", "90% done" and "to be closed" are on the way to done. */
function doneOrNot(title: string, words: string, phrase: string): SectionRole {
  const at = words.indexOf(phrase)
  const before = words.slice(0, at)
  if (NEGATIONS.test(before)) return 'committed'
  const percent = PERCENT.exec(title)?.[1]
  const isPart = percent !== undefined && Number(percent) < 100
  const isComing = BEFORE.test(before) || AFTER.test(words.slice(at + phrase.length - 1))
  return isPart || isComing ? 'verify' : 'done'
}

/** From the title, else from the place between left (intake) and right (done). */
export function guessRole(title: string, position: number, total: number): SectionRole {
  const said = roleSaid(title)
  if (said) return said
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

/** The roles of a new board's columns. The last one is done by its place only if no other is. */
export function guessRoles(columns: readonly Column[]): SectionRole[] {
  const said = columns.map(
    ({ title, role, is_done }) => role ?? roleSaid(title) ?? (is_done ? 'done' : undefined),
  )
  const finished = columns.some(({ is_done }, i) => is_done || said[i] === 'done')
  return columns.map(({ title, is_done }, i) => {
    const guess = said[i] ?? guessRole(title, i, columns.length)
    return guess === 'done' && !said[i] && (finished || is_done === false) ? 'verify' : guess
  })
}

/** A column added later is never done by its place: its tasks would be completed unasked. */
export function guessAdded(title: string, position: number, total: number): SectionRole {
  const guess = guessRole(title, position, total)
  return guess === 'done' && !roleSaid(title) ? 'verify' : guess
}

/** Whether a column nobody marked counts as done. */
export const guessDone = (title: string, role: SectionRole) =>
  role === 'done' || roleSaid(title) === 'done'

/** A renamed column takes the role its new name says, unless it was given another than its old. */
export function roleAfterRename(from: { title: string; role: SectionRole }, title: string) {
  const before = roleSaid(from.title)
  const follows = before === undefined || before === from.role
  return (follows && roleSaid(title)) || from.role
}
