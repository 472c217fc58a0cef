type Data = Record<string, unknown>
type Changed = Record<string, { before: unknown; after: unknown }>

/** An audit entry, split into its target, the changed fields and further details. */
export interface EntryDetails {
  /** The target of the change; undefined if it concerns the actor itself. */
  on: { agent_id: string; name: string } | { user_id: number } | undefined
  changed: Changed
  details: Data
}

export function parseEntry(type: string, data: Data): EntryDetails {
  const { agent_id, name, user_id, changed, role, was, ...rest } = data
  const isAgent = typeof agent_id === 'string'
  const isMember = type.startsWith('member.')
  return {
    on: isAgent
      ? { agent_id, name: String(name ?? '') }
      : typeof user_id === 'number'
        ? { user_id }
        : undefined,
    changed: isMember ? { role: roleChange(type, role, was) } : isChanged(changed) ? changed : {},
    details: {
      ...rest,
      ...(!isAgent && name !== undefined && { name }),
      ...(!isMember && role !== undefined && { role }),
      ...(changed !== undefined && !isChanged(changed) && { changed }),
    },
  }
}

function roleChange(type: string, role: unknown, was: unknown) {
  if (type === 'member.removed') return { before: role ?? null, after: null }
  return { before: was ?? null, after: role ?? null }
}

const isChanged = (changed: unknown): changed is Changed =>
  typeof changed === 'object' && changed !== null && !Array.isArray(changed)
