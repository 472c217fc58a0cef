import { useId } from 'react'
import type { Me } from '../frame/places.ts'
import { type Agent, levelOf, levelsOf, SCOPES, type Scope } from './words.ts'

/** What is chosen of an agent before it is made or changed. */
export interface Draft {
  name: string
  scopes: readonly Scope[]
  /** Null: all boards. */
  project_ids: readonly number[] | null
}

interface Props {
  me: Me
  team_id: number
  draft: Draft
  onChange(draft: Draft): void
  /** What it has already is not taken for granted from whoever may not do it. */
  agent?: Agent
}

/** Name, scopes and boards of an agent. */
export function Fields({ me, team_id, draft, onChange, agent }: Props) {
  const put = (change: Partial<Draft>) => onChange({ ...draft, ...change })
  return (
    <>
      <label className="labelled">
        Name
        <input
          className="field"
          placeholder="Claude on my laptop"
          maxLength={200}
          required
          autoComplete="off"
          // biome-ignore lint/a11y/noAutofocus: the first thing that the dialog asks
          autoFocus
          value={draft.name}
          onChange={({ target }) => put({ name: target.value })}
        />
      </label>
      <May
        may={new Set<string>([...me.permissions, ...(agent?.scopes ?? [])])}
        scopes={draft.scopes}
        onChange={(scopes) => put({ scopes })}
      />
      <Where
        boards={me.boards.filter((one) => one.team_id === team_id)}
        chosen={draft.project_ids}
        onChange={(project_ids) => put({ project_ids })}
      />
    </>
  )
}

interface MayProps {
  may: ReadonlySet<string>
  scopes: readonly Scope[]
  onChange(scopes: readonly Scope[]): void
}

function May({ may, scopes, onChange }: MayProps) {
  const levels = levelsOf(may)
  const level = levelOf(scopes, levels)
  const group = useId()
  const turn = (scope: Scope) =>
    onChange(scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope])
  return (
    <fieldset>
      <legend>What it may do</legend>
      <div className="levels">
        {levels.map((one) => (
          <label key={one.name} className="level">
            <input
              type="radio"
              name={group}
              checked={one.name === level?.name}
              onChange={() => onChange(one.scopes)}
            />
            <span>
              {one.name}
              <span className="soft">{one.words}</span>
            </span>
          </label>
        ))}
      </div>
      <details>
        <summary>{level ? 'One by one' : `One by one: ${scopes.length} chosen`}</summary>
        <div className="scopes">
          {SCOPES.filter(([scope]) => may.has(scope)).map(([scope, words]) => (
            <label key={scope} className="check">
              <input
                type="checkbox"
                checked={scopes.includes(scope)}
                onChange={() => turn(scope)}
              />
              <span>
                {words} <code>{scope}</code>
              </span>
            </label>
          ))}
        </div>
      </details>
    </fieldset>
  )
}

interface WhereProps {
  boards: Me['boards']
  chosen: readonly number[] | null
  onChange(chosen: readonly number[] | null): void
}

function Where({ boards, chosen, onChange }: WhereProps) {
  const group = useId()
  const turn = (id: number) =>
    onChange(chosen?.includes(id) ? chosen.filter((one) => one !== id) : [...(chosen ?? []), id])
  return (
    <fieldset>
      <legend>Where it works</legend>
      <label className="check">
        <input
          type="radio"
          name={group}
          checked={chosen === null}
          onChange={() => onChange(null)}
        />
        On every board that its owner can see
      </label>
      <label className="check">
        <input
          type="radio"
          name={group}
          checked={chosen !== null}
          disabled={!boards.length}
          onChange={() => onChange(boards[0] ? [boards[0].project_id] : null)}
        />
        On these boards only
      </label>
      {chosen && (
        <div className="scopes">
          {boards.map(({ project_id, title }) => (
            <label key={project_id} className="check">
              <input
                type="checkbox"
                checked={chosen.includes(project_id)}
                onChange={() => turn(project_id)}
              />
              {title}
            </label>
          ))}
        </div>
      )}
    </fieldset>
  )
}
