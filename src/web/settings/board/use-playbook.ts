import { useState } from 'react'
import { cache, keyOf } from '../../data/cache.ts'
import { Refused } from '../../data/client.ts'
import { useDraft } from '../../data/drafts.ts'
import { send } from '../../data/waiting.ts'
import { say } from '../../frame/toasts.tsx'
import { refused } from './data.ts'
import {
  differing,
  inputOf,
  merged,
  type PartName,
  type Playbook,
  type Texts,
  textsOf,
} from './playbook-rules.ts'

interface Base {
  version: number
  texts: Texts
}

const baseOf = (playbook: Playbook): Base => ({
  version: playbook.version,
  texts: textsOf(playbook),
})

/** The playbook while it is written: what one began with, what one has, and where both wrote. */
export function usePlaybook(project_id: number, playbook: Playbook) {
  const draft = useDraft(`board ${project_id}:playbook`)
  const [kept] = useState(() => readKept(draft.found?.text))
  const [base, setBase] = useState<Base>(kept?.base ?? baseOf(playbook))
  const [mine, setMine] = useState<Texts>(kept?.mine ?? base.texts)
  const [both, setBoth] = useState<readonly PartName[]>([])
  const [edition, setEdition] = useState(0)
  const [busy, setBusy] = useState(false)
  const changed = differing(mine, base.texts)
  const put = (next: Base, texts: Texts) => {
    setBase(next)
    setMine(texts)
    setEdition((one) => one + 1)
    keep(next, texts)
  }
  const keep = (from: Base, texts: Texts) =>
    differing(texts, from.texts).length
      ? draft.keep(JSON.stringify({ base: from, mine: texts }), from.version)
      : draft.drop()
  // Nobody writes here, so it is shown as it is by now.
  if (!changed.length && playbook.version > base.version) {
    setBase(baseOf(playbook))
    setMine(textsOf(playbook))
    setEdition((one) => one + 1)
  }
  const type = (part: PartName, text: string) => {
    const next = { ...mine, [part]: text }
    setMine(next)
    keep(base, next)
  }
  const save = (from = base, texts = mine) => {
    const parts = differing(texts, from.texts)
    if (!parts.length || busy) return
    setBusy(true)
    write(project_id, from.version, texts, parts)
      .then((done) => {
        if (done.theirs) return meet(from, texts, baseOf(done.theirs))
        put({ version: done.version, texts }, texts)
        say('Saved the playbook')
      }, refused)
      .finally(() => setBusy(false))
  }
  /** Somebody was faster: what both wrote is chosen from, the rest goes together by itself. */
  const meet = (from: Base, texts: Texts, theirs: Base) => {
    const now = merged(from.texts, texts, theirs.texts)
    put(theirs, now.texts)
    setBoth(now.both)
    if (now.both.length) return
    say('Somebody changed other parts meanwhile; save once more to keep both')
  }
  const choose = (part: PartName, text: string) => {
    put(base, { ...mine, [part]: text })
    setBoth(both.filter((one) => one !== part))
  }
  const drop = () => {
    put(baseOf(playbook), textsOf(playbook))
    setBoth([])
  }
  const isBehind = changed.length > 0 && playbook.version > base.version
  return { mine, base, both, edition, busy, changed, isBehind, type, save, choose, drop }
}

function readKept(text: string | undefined): { base: Base; mine: Texts } | undefined {
  try {
    return text ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

const isClash = (error: unknown): error is Refused =>
  error instanceof Refused && error.status === 409 && error.details.field === 'if_version'

/** Writes over a version; answers what stands there where it is another. */
async function write(
  project_id: number,
  if_version: number,
  texts: Texts,
  parts: readonly PartName[],
): Promise<{ version: number; theirs?: Playbook }> {
  const key = keyOf('projects.get_playbook', { project_id })
  try {
    const { version } = await send('projects.set_playbook', {
      ...{ project_id, if_version },
      ...inputOf(texts, parts),
    })
    void cache.invalidateQueries({ queryKey: key })
    return { version }
  } catch (error) {
    if (!isClash(error)) throw error
    const theirs = error.details.current as Playbook
    cache.setQueryData(key, theirs)
    return { version: theirs.version, theirs }
  }
}
