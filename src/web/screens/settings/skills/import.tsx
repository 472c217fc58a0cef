import { useState } from 'react'
import { callOperation } from '../../../data/client.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import { Dialog } from '../../../kit/dialog.tsx'
import { showToast } from '../../../kit/toasts.tsx'
import { useAction } from '../../../kit/use-action.ts'
import { type ImportedSkill, reloadSkills, type SkillOwner } from './data.ts'

interface Props {
  whose: SkillOwner
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
export function Import({ whose, onClose }: Props) {
  const [url, setUrl] = useState('')
  const { skills, selected, toggle, preview, importSelected, error, busy, reset } = useImport(
    whose,
    onClose,
  )
  return (
    <Dialog open onClose={onClose} title="Import skills">
      <form
        className="skill-import"
        onSubmit={(event) => {
          event.preventDefault()
          if (skills) importSelected(url)
          else preview(url)
        }}
      >
        <label className="skill-field">
          <span>URL of a directory on a code host</span>
          <input
            className="field"
            type="url"
            required
            placeholder="https://github.com/owner/repository/tree/main/skills"
            value={url}
            onChange={({ target }) => {
              setUrl(target.value)
              reset()
            }}
          />
        </label>
        <p className="soft">
          Read the instructions before you import a skill: assistants follow them.
        </p>
        <ul aria-label="Skills found" hidden={!skills}>
          {skills?.map((one) => (
            <SkillItem key={one.path} one={one} isPicked={selected.has(one.path)} onPick={toggle} />
          ))}
        </ul>
        <p className="wrong" role="alert">
          {error}
        </p>
        <footer className="deeds">
          <button
            type="submit"
            className="button main"
            disabled={busy || (skills && !selected.size)}
          >
            {skills ? `Import ${selected.size}` : 'Preview'}
          </button>
          <button type="button" className="button plain" onClick={onClose}>
            Cancel
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

function useImport(whose: SkillOwner, onClose: () => void) {
  const [skills, setSkills] = useState<ImportedSkill[]>()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const { error, setError, busy, run } = useAction()
  const reset = () => {
    setSkills(undefined)
    setError('')
  }
  const loadPreview = async (url: string) => {
    const { skills } = await callOperation('skills.import', { url, ...whose, dry_run: true })
    setSkills(skills)
    setSelected(
      new Set(skills.filter(({ state }) => IMPORTED_STATES.includes(state)).map((one) => one.path)),
    )
  }
  const importSkills = async (url: string) => {
    const slugs = skills!.filter(({ path }) => selected.has(path)).map((one) => one.found)
    const { skills: imported } = await sendWrite('skills.import', { url, slugs, ...whose })
    reloadSkills()
    const count = imported.filter(({ state }) => IMPORTED_STATES.includes(state)).length
    showToast(count === 1 ? 'Imported one skill' : `Imported ${count} skills`)
    onClose()
  }
  const toggle = (path: string) =>
    setSelected(
      (now) => new Set(now.has(path) ? [...now].filter((one) => one !== path) : [...now, path]),
    )
  return {
    ...{ skills, selected, toggle, error, busy, reset },
    preview: (url: string) => void run(() => loadPreview(url)),
    importSelected: (url: string) => void run(() => importSkills(url)),
  }
}

interface SkillItemProps {
  one: ImportedSkill
  isPicked: boolean
  onPick(path: string): void
}

const SkillItem = ({ one, isPicked, onPick }: SkillItemProps) => (
  <li>
    <label>
      <input
        type="checkbox"
        checked={isPicked}
        disabled={!IMPORTED_STATES.includes(one.state)}
        onChange={() => onPick(one.path)}
      />
      <code>/{one.slug}</code>
      <span className="soft">{STATES[one.state]}</span>
    </label>
    <p dir="auto">{one.description}</p>
    {one.problem && <p className="wrong">{one.problem}</p>}
    <details>
      <summary>
        Instructions<span className="unseen"> of /{one.slug}</span>
      </summary>
      <pre>{one.body}</pre>
    </details>
  </li>
)
