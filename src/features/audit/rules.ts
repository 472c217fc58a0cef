type Data = Record<string, unknown>
type Changed = Record<string, { before: unknown; after: unknown }>

/** What an entry of the change log says to whoever asks who may do what since when. */
export interface Reading {
  /** Whom it was done to; nobody where it is about the actor's own. */
  on: { agent_id: string; name: string } | { user_id: number } | undefined
  changed: Changed
  details: Data
}

export function reading(type: string, data: Data): Reading {
  const { agent_id, name, user_id, changed, role, was, ...rest } = data
  const isAgent = typeof agent_id === 'string'
  const isMember = type.startsWith('member.')
  return {
    on: isAgent
      ? { agent_id, name: String(name ?? '') }
      : typeof user_id === 'number'
        ? { user_id }
        : undefined,
    changed: isMember ? { role: roles(type, role, was) } : isChanged(changed) ? changed : {},
    details: {
      ...rest,
      ...(!isAgent && name !== undefined && { name }),
      ...(!isMember && role !== undefined && { role }),
      ...(changed !== undefined && !isChanged(changed) && { changed }),
    },
  }
}

function roles(type: string, role: unknown, was: unknown) {
  if (type === 'member.removed') return { before: role ?? null, after: null }
  return { before: was ?? null, after: role ?? null }
}

const isChanged = (changed: unknown): changed is Changed =>
  typeof changed === 'object' && changed !== null && !Array.isArray(changed)
