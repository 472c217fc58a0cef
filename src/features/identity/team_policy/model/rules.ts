import type { Role } from '../../../../kernel/caller.ts'
import { type Fault, fault } from '../../../../kernel/fault.ts'
import type { Policy } from './schema.ts'

export interface Joiner {
  email: string
  role: Role
}

/** Why the policy of a team keeps somebody out; undefined if they may join. */
export function joinRefusal(policy: Policy, { email, role }: Joiner): Fault | undefined {
  const { guests_allowed, email_domains } = policy
  if (role === 'guest')
    return guests_allowed
      ? undefined
      : fault.conflict(
          'This team does not allow guests',
          { field: 'role', value: role },
          'Use another role, or ask an owner to allow guests in the settings of the team',
        )
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  if (!email_domains || email_domains.includes(domain)) return undefined
  return fault.conflict(
    `Only addresses of ${email_domains.join(', ')} may join this team, not ${email}`,
    { field: 'email', value: email },
    'Use such an address, or ask an owner to change the domains in the settings of the team',
  )
}
