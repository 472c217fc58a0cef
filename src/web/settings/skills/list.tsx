import { useState } from 'react'
import { useAsk } from '../../data/cache.ts'
import { agoWords } from '../../parts/dates.ts'
import { Icon } from '../../parts/icon.tsx'
import { LoadError } from '../../parts/load-error.tsx'
import { isGone, useGone } from '../../task/later.ts'
import { AT_ONCE, goneOf, listOf, type Skill, useRemove, useSwitch, type Whose } from './data.ts'
import { Edit } from './edit.tsx'
import { Import } from './import.tsx'
import './skills.css'

interface Props {
  whose: Whose
  /** They may be changed, and not only looked at. */
  may: boolean
}

/** The skills of somebody or of a board, and whatever one is writing. */
export function Skills({ whose, may }: Props) {
  const [from, setFrom] = useState(0)
  const list = useAsk('skills.list', listOf(whose, from), { keep: true })
  const [writing, setWriting] = useState<Skill | 'new'>()
  const [importing, setImporting] = useState(false)
  useGone()
  const { data } = list
  if (!data) return <LoadError of={list} what="skills" />
  if (writing)
    return (
      <Edit
        whose={whose}
        skill={writing === 'new' ? undefined : writing}
        onDone={() => setWriting(undefined)}
      />
    )
  const there = data.items.filter((one) => !isGone(goneOf(one)))
  return (
    <div className="skills">
      {may && (
        <div className="skills-deeds">
          <button type="button" className="button main" onClick={() => setWriting('new')}>
            <Icon name="plus" />
            New skill
          </button>
          <button type="button" className="button plain" onClick={() => setImporting(true)}>
            Import skills
          </button>
        </div>
      )}
      {!there.length && <p className="soft">No skill yet.</p>}
      <ul aria-label="Skills" hidden={!there.length}>
        {there.map((one) => (
          <Line key={one.skill_id} skill={one} may={may} onEdit={() => setWriting(one)} />
        ))}
      </ul>
      <Turn {...{ from, hasMore: data.page.has_more }} onTurn={setFrom} />
      {importing && <Import whose={whose} onClose={() => setImporting(false)} />}
    </div>
  )
}

interface TurnProps {
  from: number
  hasMore: boolean
  onTurn(from: number): void
}

/** To those before and after, where there are more than are shown at once. */
const Turn = ({ from, hasMore, onTurn }: TurnProps) => (
  <div className="skills-deeds" hidden={!from && !hasMore}>
    <button
      type="button"
      className="button plain"
      disabled={!from}
      onClick={() => onTurn(from - AT_ONCE)}
    >
      Those before
    </button>
    <button
      type="button"
      className="button plain"
      disabled={!hasMore}
      onClick={() => onTurn(from + AT_ONCE)}
    >
      Those after
    </button>
  </div>
)

interface LineProps {
  skill: Skill
  may: boolean
  onEdit(): void
}

function Line({ skill, may, onEdit }: LineProps) {
  const { slug, name, description, argument_hint, enabled, source, last_used_at } = skill
  const turn = useSwitch()
  const remove = useRemove()
  const used = last_used_at ? `used ${agoWords(last_used_at).short}` : 'never used'
  return (
    <li className={enabled ? 'skill' : 'skill off'}>
      <div>
        <p className="called">
          <code>
            /{slug}
            {argument_hint && <span className="soft"> {argument_hint}</span>}
          </code>
          <bdi>{name}</bdi>
        </p>
        <p className="soft" dir="auto">
          {description}
        </p>
        <p className="soft">{[used, source && 'imported'].filter(Boolean).join(' · ')}</p>
      </div>
      {may ? (
        <div className="deeds">
          <label>
            <input
              type="checkbox"
              role="switch"
              aria-checked={enabled}
              checked={enabled}
              onChange={({ target }) => void turn(skill, target.checked)}
            />
            <span className="unseen">/{slug} is </span>
            <span aria-hidden="true">{enabled ? 'on' : 'off'}</span>
            <span className="unseen">on</span>
          </label>
          <button type="button" className="button quiet only" onClick={onEdit}>
            <Icon name="pencil" label={`Change the skill /${slug}`} />
          </button>
          <button type="button" className="button quiet only" onClick={() => remove(skill)}>
            <Icon name="trash" label={`Delete the skill /${slug}`} />
          </button>
        </div>
      ) : (
        <span className="soft">{enabled ? 'on' : 'off'}</span>
      )}
    </li>
  )
}
