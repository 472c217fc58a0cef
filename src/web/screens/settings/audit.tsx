import type { Me } from '../../entities/user/me.ts'
import { LoadError } from '../../kit/load-error.tsx'
import { NavTabs } from '../../kit/nav-tabs.tsx'
import { t } from '../../messages/t.ts'
import './audit/audit.css'
import { useAuditFilters } from './audit/audit-filters.ts'
import { useAudit } from './audit/data.ts'
import { Filters } from './audit/filters.tsx'
import { List } from './audit/list.tsx'
import type { PartProps } from './part-props.ts'
import { SettingsPage } from './parts.tsx'
import { hasScope } from './team/permissions.ts'

const OWN = 'own'

/** The audit log: of a team for those who manage it, or else the user's own. */
export default function Audit({ me, id }: PartProps) {
  const managedTeams = me.teams.filter(({ role }) => hasScope(role, 'teams:manage'))
  const requestedTeam = managedTeams.find(({ team_id }) => String(team_id) === id)
  const team = requestedTeam ?? (id === OWN ? undefined : managedTeams[0])
  const filters = useAuditFilters()
  const { entries, list } = useAudit(team?.team_id, filters.auditQuery)
  return (
    <SettingsPage
      className="audit"
      title={t('settings.audit_log')}
      about={
        team
          ? t('settings.changes_to_access_playbooks_instructions', { name: team.name })
          : t('settings.your_sign_ins_and_changes_to_your')
      }
      tabs={managedTeams.length > 0 && <TeamTabs managed={managedTeams} team_id={team?.team_id} />}
    >
      <Filters filters={filters} team_id={team?.team_id} />
      <LoadError of={list} what={t('settings.the_audit_log')} />
      {entries && entries.length > 0 && (
        <List
          key={JSON.stringify([team?.team_id, filters.auditQuery])}
          entries={entries}
          list={list}
        />
      )}
      {entries?.length === 0 && (
        <p className="none" role="status">
          {filters.isNarrow ? t('settings.no_matching_entries') : t('settings.no_entries_yet')}
        </p>
      )}
    </SettingsPage>
  )
}

interface TeamTabsProps {
  managed: Me['teams']
  team_id: number | undefined
}

const TeamTabs = ({ managed, team_id }: TeamTabsProps) => (
  <NavTabs
    label={t('settings.audit_logs')}
    tabs={[...managed, { team_id: undefined, name: t('settings.personal') }].map((one) => ({
      href: `/settings/audit/${one.team_id ?? OWN}`,
      ...{ name: one.name, isCurrent: one.team_id === team_id },
    }))}
  />
)
