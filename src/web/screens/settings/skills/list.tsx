import { useState } from 'react'
import { useOperation } from '../../../data/cache.ts'
import { agoText } from '../../../kit/dates.ts'
import { usePendingDeletes } from '../../../kit/delayed-delete.ts'
import { Switch } from '../../../kit/field.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { LoadError } from '../../../kit/load-error.tsx'
import { t } from '../../../messages/t.ts'
import {
  deleteSkill,
  PAGE_SIZE,
  pendingDeleteName,
  type Skill,
  type SkillOwner,
  skillsQuery,
  useToggleSkill,
} from './data.ts'
import { SkillEditor } from './edit.tsx'
import { Import } from './import.tsx'
import './skills.css'

interface Props {
  owner: SkillOwner
  /** Whether the user can change the skills. */
  may: boolean
}

/** The skills of a user or a board, or the editor of one. */
export function Skills({ owner, may }: Props) {
  const [offset, setOffset] = useState(0)
  const list = useOperation('skills.list', skillsQuery(owner, offset), { keepPrevious: true })
  const [edited, setEdited] = useState<Skill | 'new'>()
  const [isImporting, setIsImporting] = useState(false)
  const deleted = usePendingDeletes()
  const { data } = list
  if (!data) return <LoadError of={list} what={t('settings.skills_inline')} />
  if (edited)
    return (
      <SkillEditor
        owner={owner}
        skill={edited === 'new' ? undefined : edited}
        onDone={() => setEdited(undefined)}
      />
    )
  const skills = data.items.filter((one) => !deleted.has(pendingDeleteName(one)))
  return (
    <div className="skills">
      {may && (
        <div className="flex-wrap">
          <button type="button" className="button main" onClick={() => setEdited('new')}>
            <Icon name="plus" />
            {t('settings.new_skill')}
          </button>
          <button type="button" className="button plain" onClick={() => setIsImporting(true)}>
            {t('settings.import_skills')}
          </button>
        </div>
      )}
      {!skills.length && <p className="none">{t('settings.no_skills_yet')}</p>}
      <ul className="list-lines" aria-label={t('settings.skills')} hidden={!skills.length}>
        {skills.map((one) => (
          <Line key={one.skill_id} skill={one} may={may} onEdit={() => setEdited(one)} />
        ))}
      </ul>
      <Pager {...{ offset, hasMore: data.page.has_more }} onChange={setOffset} />
      {isImporting && <Import owner={owner} onClose={() => setIsImporting(false)} />}
    </div>
  )
}

interface PagerProps {
  offset: number
  hasMore: boolean
  onChange(offset: number): void
}

/** Buttons for the previous and the next page. */
const Pager = ({ offset, hasMore, onChange }: PagerProps) => (
  <div className="flex-wrap" hidden={!offset && !hasMore}>
    <button
      type="button"
      className="button plain"
      disabled={!offset}
      onClick={() => onChange(offset - PAGE_SIZE)}
    >
      {t('settings.previous')}
    </button>
    <button
      type="button"
      className="button plain"
      disabled={!hasMore}
      onClick={() => onChange(offset + PAGE_SIZE)}
    >
      {t('settings.next')}
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
  const toggle = useToggleSkill()
  const usedText = last_used_at
    ? t('settings.used_short', { short: agoText(last_used_at).short })
    : t('settings.never_used')
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
        <p className="soft">
          {[usedText, source && t('settings.imported_inline')].filter(Boolean).join(' · ')}
        </p>
      </div>
      {may ? (
        <div className="flex-wrap">
          <Switch checked={enabled} onChange={(checked) => void toggle(skill, checked)}>
            <span className="unseen">{t('settings.slug_is_on', { slug })}</span>
            <span aria-hidden="true">{enabled ? t('settings.on') : t('settings.off')}</span>
          </Switch>
          <button type="button" className="button quiet only" onClick={onEdit}>
            <Icon name="pencil" label={t('settings.edit_the_skill_slug', { slug })} />
          </button>
          <button type="button" className="button quiet only" onClick={() => deleteSkill(skill)}>
            <Icon name="trash" label={t('settings.delete_the_skill_slug', { slug })} />
          </button>
        </div>
      ) : (
        <span className="soft">{enabled ? t('settings.on') : t('settings.off')}</span>
      )}
    </li>
  )
}
