//! Compiles the C library perp into a static library, by the C compiler of the system and nothing else.
//!
//! The sources are in `source/` of a published crate, and in the repository three folders up. The build is
//! the portable one of the C library: no optional component, and the same bits on every machine.
//!
//! Environment: `CC` and `AR` name the tools, `CFLAGS` is appended (`CFLAGS=-O1` compiles faster), and
//! `PERP_LIB_DIR` names a folder with a static libperp that was built before.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// The folders of libperp below src/, as in cmake/sources.cmake.
const FOLDERS: [&str; 11] =
    ["base", "device", "linalg", "set", "operator", "problem", "io", "method", "model", "frame", "backend"];
/// Parts of libperp-lab, and what needs another library.
const LEFT_OUT: [&str; 5] = ["io/fclib.c", "io/mat.c", "io/png.c", "backend/petsc", "backend/cuda"];

fn main() {
    for name in ["CC", "AR", "CFLAGS", "PERP_LIB_DIR"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    let here = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let mut root = here.join("source");
    if !root.is_dir() {
        root = here.join("../../..");
    }
    let (include, src) = (root.join("include"), root.join("src"));
    assert!(include.join("perp/perp.h").exists(), "perp-sys: no C sources in {}", root.display());
    println!("cargo:rustc-env=PERP_INCLUDE={}", include.display());
    println!("cargo:include={}", include.display());

    let out = PathBuf::from(variable("OUT_DIR"));
    if let Ok(folder) = env::var("PERP_LIB_DIR") {
        println!("cargo:rustc-link-search=native={folder}");
    } else {
        println!("cargo:rerun-if-changed={}", src.display());
        println!("cargo:rerun-if-changed={}", include.display());
        compile(&src, &include, &out);
        println!("cargo:rustc-link-search=native={}", out.display());
    }
    println!("cargo:rustc-link-lib=static=perp");
    if variable("CARGO_CFG_TARGET_FAMILY") == "unix" {
        println!("cargo:rustc-link-lib=m");
    }
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("perp-sys: cargo did not set {name}"))
}

/// The tool that the environment names, or the one for the target.
fn tool(name: &str, usual: &str) -> String {
    let windows = variable("CARGO_CFG_TARGET_OS") == "windows";
    if windows && variable("CARGO_CFG_TARGET_ENV") == "msvc" && env::var(name).is_err() {
        panic!("perp-sys: set CC and AR to clang and llvm-ar; cl.exe does not take the C sources of perp");
    }
    let foreign = variable("TARGET") != variable("HOST");
    env::var(name).unwrap_or_else(|_| match (windows, foreign) {
        (true, true) => format!("x86_64-w64-mingw32-{}", if usual == "cc" { "gcc" } else { usual }),
        (true, false) if usual == "cc" => "gcc".to_string(),
        _ => usual.to_string(),
    })
}

fn compile(src: &Path, include: &Path, out: &Path) {
    let windows = variable("CARGO_CFG_TARGET_OS") == "windows";
    let cc = tool("CC", "cc");
    let mut flags: Vec<String> =
        ["-std=c17", "-O3", "-DNDEBUG", "-w", "-fvisibility=hidden", "-fno-math-errno"]
            .iter()
            .chain(&["-fno-trapping-math", "-ffp-contract=off", "-DPERP_PORTABLE", "-DPERP_STATIC"])
            .map(|flag| flag.to_string())
            .collect();
    if !windows {
        flags.push("-fPIC".to_string());
    }
    flags.extend(env::var("CFLAGS").unwrap_or_default().split_whitespace().map(str::to_string));

    let mut files = Vec::new();
    for folder in FOLDERS {
        collect(src, &src.join(folder), &mut files);
    }
    let other = if windows { "base/system_posix.c" } else { "base/system_windows.c" };
    files.retain(|file| file != Path::new(other));
    files.sort();

    let objects: Vec<PathBuf> = files
        .iter()
        .map(|file| out.join(file.to_string_lossy().replace(['/', '\\'], "-")).with_extension("o"))
        .collect();
    let work = Mutex::new(files.iter().zip(&objects));
    let jobs = variable("NUM_JOBS").parse().unwrap_or(1);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| loop {
                let next = work.lock().expect("another file failed").next();
                let (file, object) = match next {
                    Some(pair) => pair,
                    None => return,
                };
                let mut command = Command::new(&cc);
                command.args(&flags).arg("-I").arg(include).arg("-I").arg(src);
                run(command.arg("-c").arg(src.join(file)).arg("-o").arg(object));
            });
        }
    });

    let library = out.join("libperp.a");
    let _ = fs::remove_file(&library);
    run(Command::new(tool("AR", "ar")).arg("crs").arg(&library).args(&objects));
}

/// Adds the C files below a folder, by their path from src/.
fn collect(src: &Path, folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("perp-sys: {}: {e}", folder.display()));
    for entry in entries {
        let path = entry.expect("perp-sys: a folder ended early").path();
        let name = path.strip_prefix(src).expect("it is below src").to_path_buf();
        if LEFT_OUT.iter().any(|left| name == Path::new(left)) {
            continue;
        }
        if path.is_dir() {
            collect(src, &path, files);
        } else if path.extension() == Some(OsStr::new("c")) {
            files.push(name);
        }
    }
}

fn run(command: &mut Command) {
    match command.status() {
        Ok(status) if status.success() => {}
        Ok(status) => panic!("perp-sys: {status}: {command:?}"),
        Err(e) => panic!(
            "perp-sys: {:?} cannot be run ({e}): install a C compiler, or set CC",
            command.get_program()
        ),
    }
}
