import type { ReactElement } from 'react'
import type { Output } from '../data/client.ts'
import { lazyComponent } from '../parts/lazy-component.ts'
import { Opener } from '../parts/opener.tsx'

export type FoundTask = Output<'search.tasks'>['items'][number]

export interface FindProps {
  label: string
  /** Ids of tasks to leave out of the results. */
  excludedIds: readonly number[]
  /** Limits the search to this board. */
  project_id?: number
  onPick(task: FoundTask): void
}

const FindPopup = lazyComponent(() => import('./find-popup.tsx'))

/** Opens a search for a task by key or words. */
export const FindTask = ({ trigger, ...props }: FindProps & { trigger: ReactElement }) => (
  <Opener popup="listbox" preload={FindPopup.preload} trigger={trigger}>
    {(opened) => <FindPopup {...props} {...opened} />}
  </Opener>
)
