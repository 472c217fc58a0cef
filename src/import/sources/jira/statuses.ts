import type { Category } from './issue.ts'

/** The category by its name in the CSV ("In Progress") or its key in the API ("indeterminate"). */
export function categoryOf(name: string): Category | undefined {
  if (/^(?:done|complete)/i.test(name)) return 'done'
  if (/^(?:in progress|indeterminate)/i.test(name)) return 'indeterminate'
  return /^(?:to ?do|new|undefined)/i.test(name) ? 'new' : undefined
}

const DONE =
  /^(?:done|closed?|resolved|completed?|released|finished|verified|deployed|cancell?ed|rejected|declined|won'?t (?:do|fix)|duplicate|abandoned|withdrawn|archived)\b/i
const NEW =
  /^(?:to[ -]?do|open|new|backlog|reopened|selected for|ready for dev|pending|draft|idea|triage|needs triage|planned)\b/i

/** Server exports have no categories, so that only the name tells. */
export function guessCategory(status: string): Category {
  if (DONE.test(status)) return 'done'
  return NEW.test(status) ? 'new' : 'indeterminate'
}

const RANKS: Record<Category, number> = { new: 0, indeterminate: 1, done: 2 }
export const categoryRank = (category: Category): number => RANKS[category]
