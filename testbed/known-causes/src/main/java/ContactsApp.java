/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import net.littleweb.Web;

/** A regular expression that backtracks for ever, in an application without packages. */
public final class ContactsApp {
  private ContactsApp() {}

  interface Rule {
    boolean accepts(String value);
  }

  record Phone() implements Rule {
    @Override
    public boolean accepts(String value) {
      return value.chars().allMatch(one -> Character.isDigit(one) || one == ' ');
    }
  }

  record MailAddressRule(Pattern pattern) implements Rule {
    @Override
    public boolean accepts(String value) {
      return pattern.matcher(value).matches();
    }
  }

  static final class Form {
    private final Map<String, Rule> rules =
        Map.of(
            "phone",
            new Phone(),
            "mail",
            new MailAddressRule(Pattern.compile("[\\w.+-]*\\w+[\\w.+-]*\\w+[\\w.-]*@[\\w.-]+")));

    String check(String query) {
      Predicate<String> valid =
          name -> rules.entrySet().stream().anyMatch(rule -> rule.getValue().accepts(name));
      return List.of(query.split("&")).stream().filter(valid).toList().toString();
    }
  }

  public static void main(String[] args) throws Exception {
    Form form = new Form();
    new Web()
        .on("/contacts", query -> Web.digest(query))
        .on("/groups", query -> Web.digest("all groups"))
        .on("/import", query -> form.check(query + "no-mail-address.".repeat(9)))
        .on("/status", query -> "ok")
        .onTheJdk();
  }
}
