import { useState } from 'react'
import { callOperation } from '../../../data/client.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import { Dialog } from '../../../kit/dialog.tsx'
import { Check, TextField } from '../../../kit/field.tsx'
import { Form, FormFooter } from '../../../kit/form.tsx'
import { showToast } from '../../../kit/toasts.tsx'
import { rich, t } from '../../../messages/t.ts'
import { type ImportedSkill, reloadSkills, type SkillOwner } from './data.ts'

interface Props {
  owner: SkillOwner
  onClose(): void
}

const STATES: Record<ImportedSkill['state'], string> = {
  created: 'new',
  updated: 'changed',
  unchanged: 'unchanged',
  conflict: 'skipped',
}
const IMPORTED_STATES: readonly ImportedSkill['state'][] = ['created', 'updated']

/** Imports skills from a code host: first a preview, then the selected ones. */
export function Import({ owner, onClose }: Props) {
  const { url, type, skills, selected, toggle, submit } = useImport(owner, onClose)
  return (
    <Dialog open onClose={onClose} title={t('settings.import_skills')}>
      <Form className="form in-dialog skill-import" onSubmit={submit}>
        <TextField
          label={t('settings.url_of_a_directory_on_a_code')}
          hint={t('settings.read_the_instructions_before_you_import_a')}
          name="url"
          type="url"
          required
          placeholder={t('settings.https_github_com_owner_repository_tree')}
          value={url}
          onChange={type}
        />
        <ul aria-label={t('settings.skills_found')} hidden={!skills}>
          {skills?.map((one) => (
            <SkillItem key={one.path} one={one} isPicked={selected.has(one.path)} onPick={toggle} />
          ))}
        </ul>
        <FormFooter disabled={skills && !selected.size} onCancel={onClose}>
          {skills ? t('settings.import_count', { count: selected.size }) : t('common.preview')}
        </FormFooter>
      </Form>
    </Dialog>
  )
}

function useImport(owner: SkillOwner, onClose: () => void) {
  const [url, setUrl] = useState('')
  const [skills, setSkills] = useState<ImportedSkill[]>()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const type = (text: string) => {
    setUrl(text)
    setSkills(undefined)
  }
  const preview = async () => {
    const { skills } = await callOperation('skills.import', { url, ...owner, dry_run: true })
    setSkills(skills)
    setSelected(
      new Set(skills.filter(({ state }) => IMPORTED_STATES.includes(state)).map((one) => one.path)),
    )
  }
  const importSelected = async (found: readonly ImportedSkill[]) => {
    const slugs = found.filter(({ path }) => selected.has(path)).map((one) => one.found)
    const { skills: imported } = await sendWrite('skills.import', { url, slugs, ...owner })
    reloadSkills()
    const count = imported.filter(({ state }) => IMPORTED_STATES.includes(state)).length
    showToast(t('settings.imported_skills', { count }))
    onClose()
  }
  const toggle = (path: string) =>
    setSelected(
      (previous) =>
        new Set(
          previous.has(path) ? [...previous].filter((one) => one !== path) : [...previous, path],
        ),
    )
  const submit = () => (skills ? importSelected(skills) : preview())
  return { url, type, skills, selected, toggle, submit }
}

interface SkillItemProps {
  one: ImportedSkill
  isPicked: boolean
  onPick(path: string): void
}

const SkillItem = ({ one, isPicked, onPick }: SkillItemProps) => (
  <li>
    <Check
      checked={isPicked}
      disabled={!IMPORTED_STATES.includes(one.state)}
      onChange={() => onPick(one.path)}
    >
      <code>/{one.slug}</code>
      <span className="soft">{STATES[one.state]}</span>
    </Check>
    <p dir="auto">{one.description}</p>
    {one.problem && <p className="form-error">{one.problem}</p>}
    <details>
      <summary>
        {rich('settings.instructions_of_slug', {
          of_slug: <span className="unseen">{t('settings.of_slug', { slug: one.slug })}</span>,
        })}
      </summary>
      <pre>{one.body}</pre>
    </details>
  </li>
)
