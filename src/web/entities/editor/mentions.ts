import type { Input } from '../../data/client.ts'
import type { Member } from '../user/members.ts'

type Mentions = NonNullable<Input<'comments.add'>['mentions']>

/** Completed people who are not in the loaded list of members, which is limited, by name. */
const completed = new Map<string, Mentions[number]>()

export const noteCompletedMention = (name: string, kind: string, id: number | string) =>
  completed.set(name, {
    ...(kind === 'agent' ? { agent_id: String(id) } : { user_id: Number(id) }),
    display_name: name,
  })

/** The members that a text mentions with `@`. Only these are notified. */
export const mentionsIn = (text: string, members: readonly Member[]): Mentions => {
  const loaded = members.map(({ user_id, agent_id, name }) => ({
    ...(agent_id ? { agent_id } : { user_id: user_id! }),
    display_name: name,
  }))
  const others = [...completed.values()].filter((other) =>
    members.every(({ name }) => name !== other.display_name),
  )
  return [...loaded, ...others]
    .filter(({ display_name }) => text.includes(`@${display_name}`))
    .slice(0, 50)
}
