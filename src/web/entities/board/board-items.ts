import { basePath } from '../../kit/base-path.ts'
import { copyText } from '../../kit/copy-text.ts'
import type { MenuItem } from '../../kit/menu-popup.tsx'
import { t } from '../../messages/t.ts'

/** The items of a board's menu that open it elsewhere and copy its address. */
export const boardLinkItems = ({
  project_id,
  title,
}: {
  project_id: number
  title: string
}): MenuItem[] => {
  const path = `${basePath}/projects/${project_id}`
  return [
    {
      ...({ name: t('common.open_in_a_new_tab'), icon: 'open' } as const),
      run: () => void open(path, '_blank', 'noopener'),
    },
    {
      ...({ name: t('common.copy_link'), icon: 'link' } as const),
      run: () => copyText(location.origin + path, title),
    },
  ]
}
