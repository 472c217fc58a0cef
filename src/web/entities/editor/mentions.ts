import type { Input } from '../../data/client.ts'
import type { Member } from '../user/members.ts'

type Mentions = NonNullable<Input<'comments.add'>['mentions']>

/** The members that a text mentions with `@`. Only these are notified. */
export const mentionsIn = (text: string, members: readonly Member[]): Mentions =>
  members
    .filter(({ name }) => text.includes(`@${name}`))
    .slice(0, 50)
    .map(({ user_id, agent_id, name }) => ({
      ...(agent_id ? { agent_id } : { user_id: user_id! }),
      display_name: name,
    }))
