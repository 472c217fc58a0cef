/** How two tasks hang together, as one of them sees it. */
export const RELATION_TYPES = ['RelatedTo', 'BlockedBy', 'BlockedTo'] as const
export type RelationType = (typeof RELATION_TYPES)[number]

/** A relation as it is kept: once, whichever end it was made from. */
export interface Tie {
  kind: 'blocks' | 'related'
  first_id: number
  second_id: number
}

/** The first blocks the second; of two that are related the lower number comes first. */
export function tieOf(type: RelationType, source: number, target: number): Tie {
  const isFirst = type === 'RelatedTo' ? source < target : type === 'BlockedTo'
  const [first_id, second_id] = isFirst ? [source, target] : [target, source]
  return { kind: type === 'RelatedTo' ? 'related' : 'blocks', first_id, second_id }
}

export function seenFrom(task_id: number, { kind, first_id }: Tie): RelationType {
  if (kind === 'related') return 'RelatedTo'
  return first_id === task_id ? 'BlockedTo' : 'BlockedBy'
}

export const otherEnd = (task_id: number, { first_id, second_id }: Tie) =>
  first_id === task_id ? second_id : first_id
