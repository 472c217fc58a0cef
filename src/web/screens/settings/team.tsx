import { Link, useLocation } from 'wouter'
import type { Me } from '../../entities/user/me.ts'
import { NavTabs } from '../../kit/nav-tabs.tsx'
import '../../entities/agent/connect.css'
import type { PartProps } from './part-props.ts'
import { DefaultBoard } from './team/board.tsx'
import { Invitations } from './team/invitations.tsx'
import { LeaveTeam } from './team/leave.tsx'
import { Members } from './team/members.tsx'
import { hasScope, NAMES, type Team } from './team/permissions.ts'
import { RoleTable } from './team/table.tsx'
import { CreateTeam, RenameTeam } from './team/team-name.tsx'
import './team/team.css'

/** The settings of a team: members, roles and invitations. */
export default function TeamSettings({ me, id }: PartProps) {
  const [, go] = useLocation()
  const team = id ? me.teams.find(({ team_id }) => String(team_id) === id) : me.teams[0]
  const show = (team_id: number) => go(`/settings/team/${team_id}`)
  if (!team && id) return <Missing />
  if (!team)
    return (
      <div className="team-settings">
        <h1>Team</h1>
        <p className="soft">You are not in any team. You need an invitation to join one.</p>
      </div>
    )
  const isManager = hasScope(team.role, 'teams:manage')
  return (
    <div className="team-settings" key={team.team_id}>
      <header>
        <h1 dir="auto">{team.name}</h1>
        <p className="soft">You are {withArticle(NAMES[team.role])} here.</p>
        {me.teams.length > 1 && <Teams me={me} team={team} />}
      </header>
      {isManager && <RenameTeam key={team.name} team={team} />}
      <Members team={team} me={me.profile.user_id} />
      {isManager && <Invitations team={team} me={me} />}
      <DefaultBoard me={me} />
      <RoleTable role={team.role} />
      <section aria-labelledby="team-others">
        <h2 id="team-others">Create or leave a team</h2>
        {me.permissions.includes('teams:manage') && <CreateTeam onCreate={show} />}
        <LeaveTeam team={team} />
      </section>
    </div>
  )
}

const Missing = () => (
  <div className="team-settings">
    <header>
      <h1>Team not found</h1>
      <p className="soft">You may have left it, or you may not have access to it.</p>
    </header>
    <div>
      <Link href="/settings/team" className="button plain">
        Go to your team
      </Link>
    </div>
  </div>
)

const withArticle = (name: string) => `${/^[AO]/.test(name) ? 'an' : 'a'} ${name.toLowerCase()}`

const Teams = ({ me, team }: { me: Me; team: Team }) => (
  <NavTabs
    label="Your teams"
    tabs={me.teams.map(({ team_id, name }) => ({
      ...{ href: `/settings/team/${team_id}`, name, isCurrent: team_id === team.team_id },
    }))}
  />
)
