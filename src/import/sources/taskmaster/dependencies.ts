import type { Relation } from '../../record.ts'
import type { Report } from '../../source.ts'
import { stringOf, stringsOf } from '../shared/json.ts'
import type { TaskList } from './project.ts'
import { type Node, taskIdOf } from './tasks.ts'

/** The relations of a list. A dependency that is missing, or repeated, gives none. */
export function* relationsOf(
  list: TaskList,
  nodes: ReadonlyMap<string, Node>,
  report: Report,
): Generator<Relation> {
  for (const node of nodes.values()) {
    const blockers = new Set<string>()
    for (const name of stringsOf(node.content.dependencies)) {
      const blocker = blockerOf(node, name, nodes)
      if (blocker === undefined)
        report.lose(`Dependency of task ${node.id} on ${name}`, 'That task does not exist')
      else if (blocker !== node.id) blockers.add(blocker)
    }
    for (const blocker of blockers)
      yield { kind: 'blocks', first: taskIdOf(list, blocker), second: taskIdOf(list, node.id) }
  }
}

/** Subtasks name their siblings by the id within the parent, and others by the whole id. */
export function blockerOf({ id, parent }: Node, name: string, nodes: ReadonlyMap<string, Node>) {
  const candidates = [`${parent ?? id}.${name}`, name, name.replace(/^(task[- ]?|#)/i, '')]
  const inParent = parent === undefined ? candidates.slice(1) : candidates
  return [...inParent, ...candidates].find((candidate) => nodes.has(stringOf(candidate)))
}
