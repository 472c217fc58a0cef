import { Icon } from '../../../kit/icon.tsx'
import { t } from '../../../messages/t.ts'
import { SettingsSection } from '../parts.tsx'
import { hasScope, NAMES, ROLES, type Role } from './permissions.ts'

/** What the scopes mean in practice. */
const CAPABILITIES: readonly [words: string, scope: string][] = [
  [t('settings.work_on_tasks_comments_pages_and_files'), 'tasks:write'],
  [t('settings.see_every_board_that_is_open_to'), 'projects:write'],
  [t('settings.change_playbooks_instructions_and_skills'), 'projects:instruct'],
  [t('settings.create_their_own_agents_and_invite_guests'), 'agents:manage'],
  [t('settings.manage_every_board_columns_fields_members'), 'projects:manage'],
  [t('settings.invite_people_change_roles_rename_the_team'), 'teams:manage'],
]

/** A table of what each role can do. */
export const RoleTable = ({ role }: { role: Role }) => (
  <SettingsSection title={t('settings.what_each_role_can_do')}>
    <table>
      <thead>
        <tr>
          <th scope="col">
            <span className="unseen">{t('settings.action')}</span>
          </th>
          {ROLES.map((one) => (
            <th key={one} scope="col" className={one === role ? 'own' : ''}>
              {NAMES[one]}
              {one === role && <span className="unseen"> {t('settings.you')}</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {CAPABILITIES.map(([text, scope]) => (
          <Row key={scope} text={text} is={(one) => hasScope(one, scope)} role={role} />
        ))}
        <Row text={t('settings.add_and_remove_owners')} is={(one) => one === 'owner'} role={role} />
      </tbody>
    </table>
    <p className="soft">{t('settings.guests_see_only_the_boards_that_they')}</p>
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
        {is(one) ? (
          <Icon name="done" label={t('settings.yes')} />
        ) : (
          <span className="unseen">{t('settings.no')}</span>
        )}
      </td>
    ))}
  </tr>
)
