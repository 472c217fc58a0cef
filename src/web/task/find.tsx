import type { ReactElement } from 'react'
import type { Output } from '../data/client.ts'
import { Opener } from '../parts/opener.tsx'
import { part } from '../parts/part.ts'

export type Found = Output<'search.tasks'>['items'][number]

export interface Finding {
  label: string
  /** Tasks that cannot be meant. */
  without: readonly number[]
  /** Only those of this board. */
  project_id?: number
  onPick(task: Found): void
}

const FindPopup = part(() => import('./find-popup.tsx'))

/** Looks for a task by its key or its words. */
export const FindTask = ({ trigger, ...finding }: Finding & { trigger: ReactElement }) => (
  <Opener what="listbox" ahead={FindPopup.ahead} trigger={trigger}>
    {(opened) => <FindPopup {...finding} {...opened} />}
  </Opener>
)
