import { Icon } from '../../../kit/icon.tsx'
import { SettingsSection } from '../parts.tsx'
import { hasScope, NAMES, ROLES, type Role } from './permissions.ts'

/** What the scopes mean in practice. */
const CAPABILITIES: readonly [words: string, scope: string][] = [
  ['Work on tasks, comments, pages and files', 'tasks:write'],
  ['See every board that is open to the team, and create boards', 'projects:write'],
  ['Change playbooks, instructions and skills of boards', 'projects:instruct'],
  ['Create their own agents, and invite guests to their boards', 'agents:manage'],
  ['Manage every board: columns, fields, members, archive', 'projects:manage'],
  ['Invite people, change roles, rename the team, read its audit log', 'teams:manage'],
]

/** A table of what each role can do. */
export const RoleTable = ({ role }: { role: Role }) => (
  <SettingsSection title="What each role can do">
    <table>
      <thead>
        <tr>
          <th scope="col">
            <span className="unseen">Action</span>
          </th>
          {ROLES.map((one) => (
            <th key={one} scope="col" className={one === role ? 'own' : ''}>
              {NAMES[one]}
              {one === role && <span className="unseen"> (you)</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {CAPABILITIES.map(([text, scope]) => (
          <Row key={scope} text={text} is={(one) => hasScope(one, scope)} role={role} />
        ))}
        <Row text="Add and remove owners" is={(one) => one === 'owner'} role={role} />
      </tbody>
    </table>
    <p className="soft">Guests see only the boards that they were invited to.</p>
  </SettingsSection>
)

interface RowProps {
  text: string
  is(role: Role): boolean
  role: Role
}

const Row = ({ text, is, role }: RowProps) => (
  <tr>
    <th scope="row">{text}</th>
    {ROLES.map((one) => (
      <td key={one} className={one === role ? 'own' : ''}>
        {is(one) ? <Icon name="done" label="Yes" /> : <span className="unseen">No</span>}
      </td>
    ))}
  </tr>
)
