import { Icon } from '../../parts/icon.tsx'
import { may, NAMES, ROLES, type Role } from './may.ts'

/** What the scopes of the server's table mean to somebody who looks at a board. */
const DEEDS: readonly [words: string, scope: string][] = [
  ['Work on tasks, comments, pages and files', 'tasks:write'],
  ['See every board that is open to the team, and open new ones', 'projects:write'],
  ['Change playbooks, instructions and skills of boards', 'projects:instruct'],
  ['Have agents of their own, and invite guests to their boards', 'agents:manage'],
  ['Manage every board: columns, fields, members, archive', 'projects:manage'],
  ['Invite people, give roles, rename the team, read its audit log', 'teams:manage'],
]

/** What each role may do, so that nobody need try it out. */
export const RoleTable = ({ role }: { role: Role }) => (
  <section aria-labelledby="team-roles">
    <h2 id="team-roles">What each role may do</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">
            <span className="unseen">Deed</span>
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
        {DEEDS.map(([words, scope]) => (
          <Row key={scope} words={words} is={(one) => may(one, scope)} role={role} />
        ))}
        <Row words="Make owners, and unmake them" is={(one) => one === 'owner'} role={role} />
      </tbody>
    </table>
    <p className="soft">A guest sees the boards that they were invited to, and nothing else.</p>
  </section>
)

interface RowProps {
  words: string
  is(role: Role): boolean
  role: Role
}

const Row = ({ words, is, role }: RowProps) => (
  <tr>
    <th scope="row">{words}</th>
    {ROLES.map((one) => (
      <td key={one} className={one === role ? 'own' : ''}>
        {is(one) ? <Icon name="done" label="Yes" /> : <span className="unseen">No</span>}
      </td>
    ))}
  </tr>
)
