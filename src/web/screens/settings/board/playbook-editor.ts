import { useState } from 'react'
import { cache, queryKeyOf } from '../../../data/cache.ts'
import { useDraft } from '../../../data/drafts.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import { ApiError } from '../../../kit/errors.ts'
import { showToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import {
  changedParts,
  inputOf,
  mergeTexts,
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

/** The edited texts and the version they are based on, stored as a draft while they differ. */
function usePlaybookTexts(project_id: number, playbook: Playbook) {
  const draft = useDraft(`board ${project_id}:playbook`)
  const [stored] = useState(() => parseDraft(draft.stored?.text))
  const [base, setBase] = useState<Base>(stored?.base ?? baseOf(playbook))
  const [mine, setMine] = useState<Texts>(stored?.mine ?? base.texts)
  const [resetKey, setResetKey] = useState(0)
  const changed = changedParts(mine, base.texts)
  const replaceTexts = (next: Base, texts: Texts) => {
    setBase(next)
    setMine(texts)
    setResetKey((one) => one + 1)
    saveDraft(next, texts)
  }
  const saveDraft = (from: Base, texts: Texts) =>
    changedParts(texts, from.texts).length
      ? draft.save(JSON.stringify({ base: from, mine: texts }), from.version)
      : draft.discard()
  // Without edits, the latest version is shown.
  if (!changed.length && playbook.version > base.version) {
    setBase(baseOf(playbook))
    setMine(textsOf(playbook))
    setResetKey((one) => one + 1)
  }
  const type = (part: PartName, text: string) => {
    const next = { ...mine, [part]: text }
    setMine(next)
    saveDraft(base, next)
  }
  return { mine, base, resetKey, changed, replaceTexts, type }
}

/** The state of editing a playbook: its base, the edited texts and the conflicting parts. */
export function usePlaybookEditor(project_id: number, playbook: Playbook) {
  const { replaceTexts, ...edited } = usePlaybookTexts(project_id, playbook)
  const { mine, base, changed } = edited
  const [conflicts, setConflicts] = useState<readonly PartName[]>([])
  const save = async () => {
    if (!changed.length) return
    const { version, other } = await write(project_id, base.version, mine, changed)
    if (other) return mergeWith(baseOf(other))
    replaceTexts({ version, texts: mine }, mine)
    showToast(t('settings.saved_the_playbook'))
  }
  /** Merges with a version saved in the meantime. Parts that both changed become conflicts. */
  const mergeWith = (other: Base) => {
    const merge = mergeTexts(base.texts, mine, other.texts)
    replaceTexts(other, merge.texts)
    setConflicts(merge.both)
    if (merge.both.length) return
    showToast(t('settings.somebody_else_changed_other_parts_save'))
  }
  const choose = (part: PartName, text: string) => {
    replaceTexts(base, { ...mine, [part]: text })
    setConflicts(conflicts.filter((one) => one !== part))
  }
  const discardDraft = () => {
    replaceTexts(baseOf(playbook), textsOf(playbook))
    setConflicts([])
  }
  const isOutdated = changed.length > 0 && playbook.version > base.version
  return { ...edited, conflicts, isOutdated, save, choose, discardDraft }
}

function parseDraft(text: string | undefined): { base: Base; mine: Texts } | undefined {
  try {
    return text ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

const isVersionConflict = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 409 && error.details.field === 'if_version'

/** Saves over a version. Returns the current playbook if the version is outdated. */
async function write(
  project_id: number,
  if_version: number,
  texts: Texts,
  parts: readonly PartName[],
): Promise<{ version: number; other?: Playbook }> {
  const key = queryKeyOf('projects.get_playbook', { project_id })
  try {
    const { version } = await sendWrite('projects.set_playbook', {
      ...{ project_id, if_version },
      ...inputOf(texts, parts),
    })
    void cache.invalidateQueries({ queryKey: key })
    return { version }
  } catch (error) {
    if (!isVersionConflict(error)) throw error
    const other = error.details.current as Playbook
    cache.setQueryData(key, other)
    return { version: other.version, other }
  }
}
