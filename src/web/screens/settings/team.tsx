import { Link, useLocation } from 'wouter'
import type { Me } from '../../entities/user/me.ts'
import { NavTabs } from '../../kit/nav-tabs.tsx'
import { t } from '../../messages/t.ts'
import '../../entities/agent/connect.css'
import { SHARED_EVENTS } from './channels/names.ts'
import { Channels } from './channels/section.tsx'
import type { PartProps } from './part-props.ts'
import { SettingsPage, SettingsSection } from './parts.tsx'
import { DefaultBoard } from './team/board.tsx'
import { OwnAccounts } from './team/code-accounts.tsx'
import { CodeHosts } from './team/code-hosts.tsx'
import { Imports } from './team/imports.tsx'
import { Invitations } from './team/invitations.tsx'
import { LeaveTeam } from './team/leave.tsx'
import { Members } from './team/members.tsx'
import { NoModel } from './team/no-model.tsx'
import { hasScope, type Team } from './team/permissions.ts'
import { Placeholders } from './team/placeholders.tsx'
import { TeamPolicy } from './team/policy.tsx'
import { SignInLinks } from './team/sign-in-links.tsx'
import { RoleTable } from './team/table.tsx'
import { CreateTeam, RenameTeam } from './team/team-name.tsx'
import { TeamWebhooks } from './team/webhooks.tsx'
import './team/team.css'

/** The settings of a team: members, roles and invitations. */
export default function TeamSettings({ me, id }: PartProps) {
  const [, go] = useLocation()
  const team = id ? me.teams.find(({ team_id }) => String(team_id) === id) : me.teams[0]
  const show = (team_id: number) => go(`/settings/team/${team_id}`)
  if (!team && id) return <Missing />
  if (!team)
    return (
      <SettingsPage title={t('common.team')} about={t('settings.you_are_not_in_any_team_you')} />
    )
  const isManager = hasScope(team.role, 'teams:manage')
  return (
    <SettingsPage
      key={team.team_id}
      className="team-settings"
      title={team.name}
      about={t('settings.you_are_role_here', { role: team.role })}
      tabs={me.teams.length > 1 && <Teams me={me} team={team} />}
    >
      {isManager && <RenameTeam key={team.name} team={team} />}
      <Members team={team} me={me.profile.user_id} />
      {isManager && <SignInLinks team_id={team.team_id} />}
      {isManager && <Invitations team={team} me={me} />}
      {isManager && <CodeHosts team_id={team.team_id} />}
      <OwnAccounts team_id={team.team_id} />
      {isManager && <Imports team_id={team.team_id} />}
      {isManager && <Placeholders team_id={team.team_id} />}
      {isManager && <NoModel />}
      {isManager && (
        <Channels
          owner={{ team_id: team.team_id }}
          events={SHARED_EVENTS}
          about={t('settings.what_happens_on_the_boards_of_the_team')}
        />
      )}
      <TeamPolicy team={team} />
      {isManager && <TeamWebhooks team_id={team.team_id} />}
      <DefaultBoard me={me} />
      <RoleTable role={team.role} />
      <SettingsSection title={t('settings.create_or_leave_a_team')}>
        {me.permissions.includes('teams:manage') && <CreateTeam onCreate={show} />}
        <LeaveTeam team={team} />
      </SettingsSection>
    </SettingsPage>
  )
}

const Missing = () => (
  <SettingsPage
    title={t('settings.team_not_found')}
    about={t('settings.you_may_have_left_it_or_you')}
  >
    <div>
      <Link href="/settings/team" className="button plain">
        {t('settings.go_to_your_team')}
      </Link>
    </div>
  </SettingsPage>
)

const Teams = ({ me, team }: { me: Me; team: Team }) => (
  <NavTabs
    label={t('settings.your_teams')}
    tabs={me.teams.map(({ team_id, name }) => ({
      ...{ href: `/settings/team/${team_id}`, name, isCurrent: team_id === team.team_id },
    }))}
  />
)
