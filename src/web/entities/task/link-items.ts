import { branchOf } from '../../../kernel/branch-name.ts'
import { basePath } from '../../kit/base-path.ts'
import { copyText } from '../../kit/copy-text.ts'
import type { MenuItem } from '../../kit/menu-popup.tsx'
import { t } from '../../messages/t.ts'

interface LinkedTask {
  ticket_number: string
  title: string
}

const addressOf = ({ ticket_number }: LinkedTask) => `${basePath}/t/${ticket_number}`

/** The items of a task's menu that copy its address and names. */
export const copyItems = (task: LinkedTask): MenuItem[] => [
  {
    ...({ name: t('common.copy_link'), icon: 'link' } as const),
    run: () => copyText(location.origin + addressOf(task), t('task.the_link')),
  },
  {
    ...({ name: t('task.copy_key'), icon: 'copy' } as const),
    run: () => copyText(task.ticket_number, task.ticket_number),
  },
  {
    ...({ name: t('task.copy_branch_name'), icon: 'copy' } as const),
    run: () => copyText(branchOf(task), branchOf(task)),
  },
]

export const newTabItem = (task: LinkedTask): MenuItem => ({
  ...({ name: t('common.open_in_a_new_tab'), icon: 'open' } as const),
  run: () => void open(addressOf(task), '_blank', 'noopener'),
})
