/**
 * In the executable, the modules that a start does not need are compressed, and their imports end in
 * `.zst`. This module decompresses them when they are imported. Every entry point imports it first.
 */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const SUFFIX = '.zst'

if (Bun.isStandaloneExecutable)
  Bun.plugin({
    name: 'compressed modules',
    setup(build) {
      build.onResolve({ filter: /\.js\.zst$/ }, ({ path }) => ({
        path: join(import.meta.dir, basename(path, SUFFIX)),
      }))
      // Bun calls this only for paths that the executable does not contain.
      build.onLoad({ filter: /\.js$/ }, ({ path }) => ({
        contents: Bun.zstdDecompressSync(readFileSync(path + SUFFIX)).toString(),
        loader: 'js',
      }))
    },
  })
