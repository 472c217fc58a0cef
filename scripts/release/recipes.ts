/** Files that name the address of the downloads: install script, Homebrew formula, Nix flake. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pkg from '../../package.json' with { type: 'json' }
import type { Target } from '../executable.ts'

interface Input {
  /** The address of the folder that the files are published in. */
  downloads: string
  digests: ReadonlyMap<string, string>
  nameOf(target: Target): string
  publicKey: string | undefined
}

/** The files by their names. */
export const recipes = (input: Input): Record<string, string> => ({
  'install.sh': installScript(input),
  'corkboard.rb': formula(input),
  'flake.nix': flake(input),
})

function installScript({ downloads, publicKey }: Input): string {
  const template = readFileSync(join(import.meta.dir, '../../packaging/install.sh'), 'utf8')
  return template
    .replace('@DOWNLOADS@', downloads)
    .replace('@VERSION@', pkg.version)
    .replace('@PUBLIC_KEY@', publicKey?.trim() ?? '')
}

function formula({ downloads, digests, nameOf }: Input): string {
  const block = (target: Target) => `
      url "${downloads}/${nameOf(target)}"
      sha256 "${digests.get(nameOf(target)) ?? ''}"`
  const onSystem = (system: string, name: string) => `
  on_${name} do
    on_arm do${block(`${system}-arm64` as Target)}
    end
    on_intel do${block(`${system}-x64` as Target)}
    end
  end
`
  return `class Corkboard < Formula
  desc "${pkg.description.replace(/^The /, '')}"
  homepage "${downloads}"
  version "${pkg.version}"
  license "${pkg.license}"
${onSystem('darwin', 'macos')}${onSystem('linux', 'linux')}
  def install
    bin.install Dir["cork-*"].first => "cork"
    generate_completions_from_executable(bin/"cork", "completion")
    (man1/"cork.1").write Utils.safe_popen_read(bin/"cork", "man")
  end

  service do
    run [opt_bin/"cork", "serve", "--data", var/"corkboard"]
    keep_alive true
    log_path var/"log/corkboard.log"
    error_log_path var/"log/corkboard.log"
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/cork --version").strip
  end
end
`
}

const SYSTEMS: Record<string, Target> = {
  'x86_64-linux': 'linux-x64',
  'aarch64-linux': 'linux-arm64',
  'x86_64-darwin': 'darwin-x64',
  'aarch64-darwin': 'darwin-arm64',
}

const flake = ({ downloads, digests, nameOf }: Input) => `{
  description = "${pkg.description}";
  inputs.nixpkgs.url = "nixpkgs";
  outputs = { self, nixpkgs }:
    let
      files = {${Object.entries(SYSTEMS)
        .map(
          ([system, target]) => `
        ${system} = {
          url = "${downloads}/${nameOf(target)}";
          sha256 = "${digests.get(nameOf(target)) ?? ''}";
        };`,
        )
        .join('')}
      };
      package = system:
        let pkgs = nixpkgs.legacyPackages.\${system}; in
        pkgs.stdenv.mkDerivation {
          pname = "corkboard";
          version = "${pkg.version}";
          src = pkgs.fetchurl files.\${system};
          dontUnpack = true;
          # Stripping would remove the program that is appended to its runtime.
          dontStrip = true;
          nativeBuildInputs =
            pkgs.lib.optional pkgs.stdenv.isLinux pkgs.autoPatchelfHook;
          installPhase = "install -Dm755 $src $out/bin/cork";
          meta.mainProgram = "cork";
        };
    in {
      packages = builtins.mapAttrs (system: _: { default = package system; }) files;
    };
}
`
