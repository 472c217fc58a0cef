import { Link } from 'wouter'
import type { Me } from '../frame/places.ts'
import { LoadError } from '../parts/load-error.tsx'
import './audit/audit.css'
import { useAudit } from './audit/data.ts'
import { Filters } from './audit/filters.tsx'
import { List } from './audit/list.tsx'
import { useLook } from './audit/look.ts'
import type { PartProps } from './screen.tsx'
import { may } from './team/may.ts'

const OWN = 'own'

/** Who gave or took access, when and from where: in a team for those who manage it, else one's own. */
export default function Audit({ me, id }: PartProps) {
  const managed = me.teams.filter(({ role }) => may(role, 'teams:manage'))
  const named = managed.find(({ team_id }) => String(team_id) === id)
  const team = named ?? (id === OWN ? undefined : managed[0])
  const look = useLook()
  const { entries, list } = useAudit(team?.team_id, look.asked)
  return (
    <div className="audit">
      <header>
        <h1>Audit log</h1>
        <p className="soft">
          {team
            ? `Changes to access in ${team.name} and to what its agents are told, sign-ins, exports.`
            : 'Your sign-ins, and what happened to your keys, your agents and your place in teams.'}
        </p>
      </header>
      {managed.length > 0 && <Whose managed={managed} team_id={team?.team_id} />}
      <Filters look={look} team_id={team?.team_id} />
      <LoadError of={list} what="the audit log" />
      {entries && entries.length > 0 && (
        <List key={JSON.stringify([team?.team_id, look.asked])} entries={entries} list={list} />
      )}
      {entries?.length === 0 && (
        <p className="soft none" role="status">
          {look.isNarrow ? 'Nothing of that happened.' : 'Nothing happened yet.'}
        </p>
      )}
    </div>
  )
}

interface WhoseProps {
  managed: Me['teams']
  team_id: number | undefined
}

const Whose = ({ managed, team_id }: WhoseProps) => (
  <nav className="whose" aria-label="Whose log">
    {managed.map((one) => (
      <Link
        key={one.team_id}
        href={`/settings/audit/${one.team_id}`}
        aria-current={one.team_id === team_id ? 'page' : undefined}
      >
        {one.name}
      </Link>
    ))}
    <Link href={`/settings/audit/${OWN}`} aria-current={team_id === undefined ? 'page' : undefined}>
      Your own
    </Link>
  </nav>
)
