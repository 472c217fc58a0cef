import { useState } from 'react'
import { ask, wordsOf } from '../../data/client.ts'
import { send } from '../../data/waiting.ts'
import { say } from '../../frame/toasts.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { type Brought, readAgain, type Whose } from './data.ts'

interface Props {
  whose: Whose
  onClose(): void
}

const STATES: Record<Brought['state'], string> = {
  created: 'new',
  updated: 'changed there',
  unchanged: 'as it is here',
  conflict: 'left out',
}
const COMES: readonly Brought['state'][] = ['created', 'updated']

/** Skills of a code host: looked at first, and then those that were chosen are brought here. */
export function Import({ whose, onClose }: Props) {
  const [url, setUrl] = useState('')
  const { found, picked, pick, look, bring, words, busy, change } = useImport(whose, onClose)
  return (
    <Dialog open onClose={onClose} title="Import skills">
      <form
        className="skill-import"
        onSubmit={(event) => {
          event.preventDefault()
          if (found) bring(url)
          else look(url)
        }}
      >
        <label className="skill-field">
          <span>Address of a directory on a code host</span>
          <input
            className="field"
            type="url"
            required
            placeholder="https://github.com/owner/repository/tree/main/skills"
            value={url}
            onChange={({ target }) => {
              setUrl(target.value)
              change()
            }}
          />
        </label>
        <p className="soft">
          Read what it says before you take it: whoever calls a skill does what stands in it.
        </p>
        <ul aria-label="Skills found there" hidden={!found}>
          {found?.map((one) => (
            <Found key={one.path} one={one} isPicked={picked.has(one.path)} onPick={pick} />
          ))}
        </ul>
        <p className="wrong" role="alert">
          {words}
        </p>
        <footer className="deeds">
          <button type="submit" className="button main" disabled={busy || (found && !picked.size)}>
            {found ? `Import ${picked.size}` : 'Look at them'}
          </button>
          <button type="button" className="button plain" onClick={onClose}>
            Cancel
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

function useImport(whose: Whose, onClose: () => void) {
  const [found, setFound] = useState<Brought[]>()
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const [words, setWords] = useState('')
  const [busy, setBusy] = useState(false)
  const change = () => {
    setFound(undefined)
    setWords('')
  }
  const during = (job: Promise<unknown>) => {
    setBusy(true)
    setWords('')
    job.catch((error) => setWords(wordsOf(error))).finally(() => setBusy(false))
  }
  const looked = async (url: string) => {
    const { skills } = await ask('skills.import', { url, ...whose, dry_run: true })
    setFound(skills)
    setPicked(new Set(skills.filter(({ state }) => COMES.includes(state)).map((one) => one.path)))
  }
  const brought = async (url: string) => {
    const slugs = found!.filter(({ path }) => picked.has(path)).map((one) => one.found)
    const { skills } = await send('skills.import', { url, slugs, ...whose })
    readAgain()
    const many = skills.filter(({ state }) => COMES.includes(state)).length
    say(many === 1 ? 'Imported one skill' : `Imported ${many} skills`)
    onClose()
  }
  const pick = (path: string) =>
    setPicked(
      (now) => new Set(now.has(path) ? [...now].filter((one) => one !== path) : [...now, path]),
    )
  return {
    ...{ found, picked, pick, words, busy, change },
    look: (url: string) => during(looked(url)),
    bring: (url: string) => during(brought(url)),
  }
}

interface FoundProps {
  one: Brought
  isPicked: boolean
  onPick(path: string): void
}

const Found = ({ one, isPicked, onPick }: FoundProps) => (
  <li>
    <label>
      <input
        type="checkbox"
        checked={isPicked}
        disabled={!COMES.includes(one.state)}
        onChange={() => onPick(one.path)}
      />
      <code>/{one.slug}</code>
      <span className="soft">{STATES[one.state]}</span>
    </label>
    <p dir="auto">{one.description}</p>
    {one.problem && <p className="wrong">{one.problem}</p>}
    <details>
      <summary>
        What it says<span className="unseen"> in /{one.slug}</span>
      </summary>
      <pre>{one.body}</pre>
    </details>
  </li>
)
