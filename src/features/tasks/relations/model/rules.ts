/** The type of a relation from the point of view of one task. */
export const RELATION_TYPES = ['RelatedTo', 'BlockedBy', 'BlockedTo'] as const
export type RelationType = (typeof RELATION_TYPES)[number]

/** A relation as it is stored: once, whichever task it was created from. */
export interface StoredRelation {
  kind: 'blocks' | 'related'
  first_id: number
  second_id: number
}

/** The first task blocks the second. Of two related tasks the one with the lower id is first. */
export function toStoredRelation(
  type: RelationType,
  source: number,
  target: number,
): StoredRelation {
  const isFirst = type === 'RelatedTo' ? source < target : type === 'BlockedTo'
  const [first_id, second_id] = isFirst ? [source, target] : [target, source]
  return { kind: type === 'RelatedTo' ? 'related' : 'blocks', first_id, second_id }
}

export function typeFor(task_id: number, { kind, first_id }: StoredRelation): RelationType {
  if (kind === 'related') return 'RelatedTo'
  return first_id === task_id ? 'BlockedTo' : 'BlockedBy'
}

export const otherEnd = (task_id: number, { first_id, second_id }: StoredRelation) =>
  first_id === task_id ? second_id : first_id
