import type { operations } from '../../../../src/features/pages/pages/operations/index.ts'
import { BOARD, EVERYONE, logoId, type SamplesOf } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

/** A page of the owner with two versions. */
const createPage = async ({ ada, tasks }: World) => {
  const { task_id } = tasks.logo
  const { page_id } = await ada['pages.create']({ task_id, content: '# Colours\n\nRed.' })
  await ada['pages.update']({ page_id, content: 'Or blue.', mode: 'append' })
  return { page_id }
}

const createPageVersion = async (w: World) => {
  const { page_id } = await createPage(w)
  const { items } = await w.ada['pages.versions']({ page_id })
  return { page_id, version_id: items.at(-1)!.version_id }
}

const createCanvas = async ({ ada, tasks }: World) => {
  const content = '<!doctype html><title>Logo</title><p>Drawn.</p>'
  const { page_id } = await ada['pages.create']({
    task_id: tasks.logo.task_id,
    content,
    canvas: true,
  })
  return { page_id }
}

const pageId = async (w: World, title: string, status: 'Normal' | 'Archive') => {
  const { items } = await w.ada['pages.list']({ ...logoId(w), status })
  return { page_id: items.find((page) => page.title === title)!.page_id }
}

export const samples: SamplesOf<typeof operations> = {
  'pages.create': {
    input: (w) => ({ ...logoId(w), title: 'Colours', content: 'Red, or blue.' }),
    allowed: BOARD,
    approval: 'never',
  },
  'pages.get': {
    input: createPage,
    furtherInputs: [
      (w) => pageId(w, 'Old', 'Archive'),
      async (w) => {
        const { items } = await w.ada['pages.list'](logoId(w))
        return { page_id: items.find(({ parent_page_id }) => parent_page_id)!.page_id }
      },
      async (w) => {
        const content = '<!doctype html><title>Logo</title><p>Drawn.</p>'
        const page = { ...logoId(w), content, canvas: true }
        return { page_id: (await w.ada['pages.create'](page)).page_id }
      },
    ],
    allowed: [...BOARD, 'reading key'],
  },
  'pages.update': {
    input: async (w) => ({ ...(await createPage(w)), content: 'Or green.', mode: 'append' }),
    allowed: BOARD,
    approval: 'never',
    textInput: () => ({ mode: 'replace' }),
  },
  'pages.list': {
    input: async (w) => {
      await createPage(w)
      return { ...logoId(w) }
    },
    allowed: [...BOARD, 'reading key'],
  },
  'pages.versions': {
    input: createPage,
    furtherInputs: [(w) => pageId(w, 'Colours', 'Normal')],
    allowed: [...BOARD, 'reading key'],
    unset: {
      'is set by another credential or another order of requests than the samples use': [
        'items[].note',
      ],
    },
  },
  'pages.restore': { input: createPageVersion, allowed: BOARD, approval: 'never' },
  'pages.diff': {
    input: createPage,
    allowed: [...BOARD, 'reading key'],
    unset: {
      'is set by another credential or another order of requests than the samples use': [
        'from.note',
      ],
    },
  },
  'pages.backlinks': {
    input: async (w) => {
      const { page_id } = await createPage(w)
      const content = `See [Colours](/p/${page_id}).`
      await w.ada['pages.create']({ task_id: w.tasks.logo.task_id, content })
      await w.ada['tasks.update']({ task_id: w.tasks.logo.task_id, description: content })
      return { page_id }
    },
    allowed: [...BOARD, 'reading key'],
  },
  'pages.archive': { input: createPage, allowed: BOARD, approval: 'always' },
  'pages.canvas': { input: createCanvas, allowed: [...BOARD, 'reading key'] },
  'pages.search': {
    input: () => ({ query: 'logo' }),
    furtherInputs: [() => ({ query: 'blue' })],
    allowed: [...EVERYONE, 'reading key'],
    unset: {
      'is set by another credential or another order of requests than the samples use': [
        '[].parent_page_id',
      ],
    },
  },
}
