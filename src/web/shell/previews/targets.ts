import { isBelowBase, withoutBase } from '../../kit/base-path.ts'

/** What a preview is about. */
export type Subject =
  | { kind: 'task'; key: string }
  | { kind: 'page'; page_id: string }
  | { kind: 'agent'; agent_id: string }
  | { kind: 'person'; user_id: number }

export interface Target {
  element: HTMLElement
  subject: Subject
}

const SELECTOR = 'a[href], [data-preview], [data-actor]'

/** The link, person or agent that an event is about. Links in texts are inside a shadow root. */
export function targetOf(event: Event): Target | undefined {
  const [origin] = event.composedPath()
  return origin instanceof Element ? targetAt(origin) : undefined
}

export function targetAt(origin: Element): Target | undefined {
  const element = origin.closest<HTMLElement>(SELECTOR)
  const subject = element && subjectOf(element)
  return subject ? { element, subject } : undefined
}

function subjectOf(element: HTMLElement): Subject | undefined {
  const { actor, preview } = element.dataset
  if (actor)
    return /^\d+$/.test(actor)
      ? { kind: 'person', user_id: Number(actor) }
      : { kind: 'agent', agent_id: actor }
  if (preview) return subjectAt(preview)
  const link = element as HTMLAnchorElement
  return isBelowBase(link) && !isCurrent(link) ? subjectAt(pathIn(link)) : undefined
}

/** The panel of a task is part of the address of another screen. */
function pathIn({ pathname, search }: HTMLAnchorElement): string {
  const task = new URLSearchParams(search).get('task')
  return task ? `/t/${task}` : withoutBase(pathname)
}

/** The reader looks at what the link is about, as in tabs and tables of contents. */
const isCurrent = ({ pathname, search, hash }: HTMLAnchorElement) =>
  pathname === location.pathname && (hash !== '' || search === location.search)

export function subjectAt(path: string): Subject | undefined {
  const [, kind, id] = /^\/(t|p|agents)\/([\w-]+)$/.exec(path) ?? []
  if (!id || id === 'new') return undefined
  if (kind === 't') return { kind: 'task', key: id }
  return kind === 'p' ? { kind: 'page', page_id: id } : { kind: 'agent', agent_id: id }
}
