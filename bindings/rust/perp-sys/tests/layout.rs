//! The declarations of this crate are those of the C headers: each function and struct of src/lib.rs is
//! written in C, and the C compiler compares it with the header's. A struct of `repr(C)` has the layout of the
//! C struct with the same fields.

use std::fmt::Write;
use std::process::Command;

/// A type of src/lib.rs in C, declared as `name`.
fn declare(kind: &str, name: &str) -> String {
    let kind = kind.trim();
    if let Some(inner) = kind.strip_prefix("*const ") {
        return declare(inner, &format!("const *{name}"));
    }
    if let Some(inner) = kind.strip_prefix("*mut ") {
        return declare(inner, &format!("*{name}"));
    }
    if let Some(inner) = kind.strip_prefix('[') {
        let (inner, count) = inner.trim_end_matches(']').rsplit_once(';').expect("an array");
        return declare(inner, &format!("{name}[{}]", count.trim()));
    }
    let plain = match kind {
        "c_int" => "int",
        "c_uint" => "unsigned",
        "c_char" => "char",
        "c_void" => "void",
        "f64" => "double",
        "i64" => "int64_t",
        "u64" => "uint64_t",
        "usize" => "size_t",
        other => other,
    };
    format!("{plain} {name}")
}

/// `name: type` of each field or argument.
fn pairs(text: &str) -> Vec<(&str, &str)> {
    text.split(',').filter_map(|part| part.trim().trim_start_matches("pub ").split_once(':')).collect()
}

#[test]
fn declarations_are_those_of_the_headers() {
    let source = include_str!("../src/lib.rs");
    let mut c = String::from("#include <perp/perp.h>\n#include <stddef.h>\n");
    let (mut structs, mut functions, mut constants) = (0, 0, 0);
    for part in source.split("pub struct ").skip(2) {
        // the first is the macro for opaque objects
        let (name, rest) = part.split_once(" {").expect("a struct");
        let fields = pairs(rest.split_once('}').expect("its end").0);
        let body: String = fields.iter().map(|(field, kind)| declare(kind, field) + "; ").collect();
        writeln!(c, "typedef struct {{ {body}}} rust_{name};").unwrap();
        writeln!(c, "_Static_assert(sizeof({name}) == sizeof(rust_{name}), \"size of {name}\");").unwrap();
        for (field, _) in fields {
            writeln!(
                c,
                "_Static_assert(offsetof({name}, {field}) == offsetof(rust_{name}, {field}) && \
                 __builtin_types_compatible_p(__typeof__((({name} *)0)->{field}), \
                 __typeof__(((rust_{name} *)0)->{field})), \"{name}.{field}\");"
            )
            .unwrap();
        }
        structs += 1;
    }
    for part in source.split("pub fn ").skip(1) {
        let (name, rest) = part.split_once('(').expect("a function");
        let (arguments, rest) = rest.split_once(')').expect("its arguments");
        let result = rest.split_once(';').expect("its end").0.trim().trim_start_matches("->");
        let arguments: Vec<String> =
            pairs(arguments).iter().map(|(argument, kind)| declare(kind, argument)).collect();
        let arguments = if arguments.is_empty() { "void".to_string() } else { arguments.join(", ") };
        let result = if result.is_empty() { "c_void" } else { result };
        writeln!(c, "{};", declare(result, &format!("{name}({arguments})"))).unwrap();
        functions += 1;
    }
    for part in source.split("pub const ").skip(1) {
        let (name, rest) = part.split_once(':').expect("a constant");
        let value = rest.split_once("= ").expect("its value").1.split_once(';').expect("its end").0;
        writeln!(c, "_Static_assert({name} == {value}, \"{name}\");").unwrap();
        constants += 1;
    }
    assert!(structs >= 14 && functions >= 38 && constants >= 32, "{structs} {functions} {constants}");

    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join("layout.c");
    std::fs::write(&file, c).unwrap();
    let cc = std::env::var("CC").unwrap_or_else(|_| "cc".to_string());
    let done = Command::new(cc)
        .args(["-std=c17", "-DPERP_STATIC", "-fsyntax-only", "-I", env!("PERP_INCLUDE")])
        .arg(&file)
        .output()
        .expect("the C compiler that built the library");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}
