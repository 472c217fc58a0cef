import { useMemo } from 'react'
import type { Command } from '../../entities/command/commands.ts'
import { basePath } from '../../kit/base-path.ts'
import { t } from '../../messages/t.ts'
import type { View } from './rules.ts'

const FORMATS = {
  csv: t('board.export_as_csv'),
  markdown: t('board.export_as_markdown'),
  json: t('board.export_as_json'),
  ics: t('board.export_as_icalendar'),
}

/** Commands that download the tasks of the view, or of the board without one. */
export const useExportCommands = (project_id: number, view: View | undefined): Command[] =>
  useMemo(() => {
    const source = view ? `views/${view.view_id}` : `projects/${project_id}`
    return Object.entries(FORMATS).map(([format, name]) => ({
      ...{ name, icon: 'down', keywords: 'download save file' },
      run: () => download(`/api/v1/${source}/export?format=${format}`),
    }))
  }, [project_id, view])

function download(url: string) {
  const link = document.createElement('a')
  link.href = basePath + url
  link.download = ''
  link.click()
}
