import type { Relation } from '../../record.ts'
import { taskLink } from '../../source.ts'
import { type Json, objectsOf, stringOf } from '../shared/json.ts'

/** Kinds of links that become parents and relations. The others become words. */
const RELATIONS: Readonly<Record<string, (task: string, other: string) => Relation>> = {
  blocks: (task, other) => ({ kind: 'blocks', first: task, second: other }),
  'is blocked by': (task, other) => ({ kind: 'blocks', first: other, second: task }),
  'relates to': (first, second) => ({ kind: 'related', first, second }),
}
const FAMILY = new Set(['is a child of', 'is a parent of'])

/** The links between tasks, which Kanboard stores at both ends. */
export class TaskLinks {
  /** The parents by the ids of their children. */
  readonly parents = new Map<string, string>()
  readonly relations: Relation[] = []
  private readonly ids: ReadonlySet<string>
  private readonly seen = new Set<string>()

  constructor(tasks: readonly Json[]) {
    this.ids = new Set(tasks.map(({ id }) => stringOf(id)))
    for (const task of tasks)
      for (const link of objectsOf(task.links))
        this.add(stringOf(task.id), stringOf(link.task_id), stringOf(link.label))
  }

  private add(task: string, other: string, label: string): void {
    if (!this.ids.has(other) || task === other) return
    const [child, parent] = label === 'is a child of' ? [task, other] : [other, task]
    if (FAMILY.has(label) && !this.parents.has(child)) this.parents.set(child, parent)
    const isSecondParent = FAMILY.has(label) && this.parents.get(child) !== parent
    const relation = RELATIONS[isSecondParent ? 'relates to' : label]?.(task, other)
    if (!relation) return
    const ends = [relation.first, relation.second]
    const key = [relation.kind, ...(relation.kind === 'related' ? ends.toSorted() : ends)].join(' ')
    if (this.seen.has(key)) return
    this.seen.add(key)
    this.relations.push(relation)
  }

  /** A section with the links that have no other place. */
  section(task: Json): string {
    const lines = objectsOf(task.links).flatMap((link) => {
      const other = stringOf(link.task_id)
      const label = stringOf(link.label)
      const title = plain(stringOf(link.title) || `#${other}`)
      if (!this.ids.has(other))
        return [`- ${label} ${title} (${plain(stringOf(link.project_name)) || 'another project'})`]
      return label in RELATIONS || FAMILY.has(label)
        ? []
        : [`- ${label} [${title}](${taskLink(other)})`]
    })
    const external = objectsOf(task.externalLinks).map(({ title, url }) =>
      linkLine(stringOf(title), stringOf(url)),
    )
    const uri = stringOf(task.external_uri)
    const all = [...lines, ...external, ...(uri ? [linkLine('', uri)] : [])]
    return all.length ? ['## Links', '', ...all].join('\n') : ''
  }

  /** `#12` in a text links to that task. */
  replace(text: string): string {
    return text.replace(/(^|[\s(,;])#(\d+)\b/g, (match, before: string, id: string) =>
      this.ids.has(id) ? `${before}[#${id}](${taskLink(id)})` : match,
    )
  }
}

const plain = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[[\]\\]/g, '\\$&')

function linkLine(title: string, url: string): string {
  const target = url.replace(/[\s<>]/g, encodeURIComponent)
  return `- [${plain(title) || plain(url)}](<${target}>)`
}
