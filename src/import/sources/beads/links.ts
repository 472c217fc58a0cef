import type { Relation } from '../../record.ts'
import { type Report, taskLink } from '../../source.ts'
import { isObject, type Json, listOf, stringOf, stringsOf } from '../shared/json.ts'
import { wordsOf } from '../shared/names.ts'

interface Link {
  type: string
  target: string
}

export interface Links {
  parents: Map<string, string>
  relations: Relation[]
  /** The lines of the section "Links": what a relation of ours does not tell. */
  lines: Map<string, string[]>
}

export const BLOCKS = new Set(['blocks', 'blocked-by', 'conditional-blocks', 'waits-for'])
const RELATED = new Set(['related', 'relates-to'])
export const PARENT = 'parent-child'

/** All links between issues. Links to anything else become lines of text. */
export function linksOf(issues: ReadonlyMap<string, Json>, report: Report): Links {
  const parents = new Map<string, string>()
  const relations = new Map<string, Relation>()
  const lines = new Map<string, string[]>()
  for (const [id, issue] of issues)
    for (const { type, target } of linksIn(issue)) {
      const isKnown = issues.has(target)
      if (target === id) continue
      if (isKnown && type === PARENT && !parents.has(id)) {
        parents.set(id, target)
        continue
      }
      if (isKnown) addRelation(relations, BLOCKS.has(type), target, id)
      if (isKnown && (BLOCKS.has(type) || RELATED.has(type))) continue
      const link = isKnown ? `[${target}](${taskLink(target)})` : target
      lines.set(id, [...(lines.get(id) ?? []), `- ${labelOf(type)} ${link}`])
      if (!isKnown) report.lose(`Link of ${id} to ${target}`, 'No such issue is in the file')
    }
  return { parents, relations: [...relations.values()], lines }
}

/** Links in both directions, and repeated ones, are one relation. A blocking one comes first. */
function addRelation(
  relations: Map<string, Relation>,
  isBlocking: boolean,
  first: string,
  second: string,
): void {
  const key = [first, second].sort().join('\n')
  const other = relations.get(key)
  if (!other || (isBlocking && other.kind === 'related'))
    relations.set(key, { kind: isBlocking ? 'blocks' : 'related', first, second })
}

function labelOf(type: string): string {
  if (BLOCKS.has(type)) return 'Blocked by'
  return type === PARENT ? 'Part of' : wordsOf(type)
}

/** Older versions had fields for some types. */
const OLD_FIELDS = ['relates_to', 'replies_to', 'duplicate_of', 'superseded_by'] as const

function linksIn(issue: Json): Link[] {
  const links = listOf(issue.dependencies).map((dependency): Link => {
    if (!isObject(dependency)) return { type: 'blocks', target: stringOf(dependency) }
    const { type, depends_on_id } = dependency
    return { type: stringOf(type) || 'blocks', target: stringOf(depends_on_id) }
  })
  for (const target of stringsOf(issue.depends_on)) links.push({ type: 'blocks', target })
  for (const name of OLD_FIELDS)
    for (const target of stringsOf(issue[name]))
      links.push({ type: name.replace('_', '-'), target })
  const parent = stringOf(issue.parent)
  if (parent && !links.some(({ type }) => type === PARENT))
    links.push({ type: PARENT, target: parent })
  return links.filter(({ target }) => target)
}
